import { WarmPool } from '../../lib/warm-pool.ts'
import { WarmThread } from '../../lib/warm-thread.ts'
import { jsonLimits } from '../limits.ts'
import type { BodyToParse } from './json-body-thread.ts'
import { parseJsonBody, type BodyLimits, type ParsedJson } from './parse-json-body.ts'

/**
 * Bodies up to this size are parsed in the thread that receives them, within a few milliseconds. A
 * round trip to another thread would cost more.
 */
const inlineBytesMax = 256 * 1024
const [idleMsMax, bodiesPerThreadMax] = [60_000, 100_000]

/**
 * Parses request bodies. Large ones are parsed in a separate thread, one at a time, so that they do
 * not block the thread that receives them.
 */
export class JsonParser implements AsyncDisposable {
  readonly #threads = new WarmPool({
    open: () => new WarmThread<BodyToParse, ParsedJson>(new URL('./json-body-thread.ts', import.meta.url)),
    membersMax: 1,
    usesMax: bodiesPerThreadMax,
    idleMsMax,
  })
  readonly #unabortedSignal = new AbortController().signal

  /**
   * Parses a small body synchronously. The buffer of a large body is transferred to the parser
   * thread.
   */
  parse(bytes: Buffer, limits: BodyLimits = jsonLimits): ParsedJson | Promise<ParsedJson> {
    return bytes.byteLength <= inlineBytesMax ? parseJsonBody(bytes, limits) : this.#parseInThread(bytes, limits)
  }

  async #parseInThread(bytes: Buffer, limits: BodyLimits): Promise<ParsedJson> {
    const parsed = await this.#threads.use(this.#unabortedSignal, (thread) =>
      thread.call({ bytes, limits }, [bytes.buffer as ArrayBuffer]),
    )
    if (parsed === undefined) throw new Error('the JSON parser is closed')
    return parsed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads.close()
  }
}

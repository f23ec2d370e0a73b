import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { WarmPool } from '../../lib/warm-pool.ts'
import { Decoder, type DecodeOutcome, type DecoderOptions } from './decoder.ts'
import type { DecodeRequest } from './decode-image.ts'

export interface DecoderPoolOptions {
  log: DecoderOptions['log']
  /**
   * Maximum number of child processes. Default: half the number of cores, one to four, because each
   * may take 600 MB of memory.
   */
  decodersMax?: number
  decodeMsMax?: number
  /** Script of the child processes. Only tests replace it. */
  scriptUrl?: URL
}

const defaultDecodersMax = 4
const defaultDecodeMsMax = 30_000
/**
 * A child is replaced after this many images, to limit the lifetime of leaked memory and of code
 * from a hostile image.
 */
const imagesPerDecoderMax = 100
const idleMsMax = 300_000

/**
 * Decodes untrusted images in child processes. An image that makes its child crash, hang or take
 * too much memory therefore affects no other image. Children are started on demand.
 */
export class DecoderPool implements AsyncDisposable {
  readonly #decoders: WarmPool<Decoder>

  constructor({ log, decodersMax, decodeMsMax = defaultDecodeMsMax, scriptUrl }: DecoderPoolOptions) {
    const script = fileURLToPath(scriptUrl ?? new URL('./decoder-child.ts', import.meta.url))
    this.#decoders = new WarmPool({
      open: () => new Decoder({ script, decodeMsMax, log }),
      membersMax: decodersMax ?? Math.max(1, Math.min(defaultDecodersMax, Math.floor(availableParallelism() / 2))),
      usesMax: imagesPerDecoderMax,
      idleMsMax,
    })
  }

  /**
   * Resolves to the decoded image, or to the reason why the image is unusable. Rejects with the
   * signal's reason if the signal aborts, and with another error if the failure was not caused by
   * the image.
   */
  async decode(file: Buffer, request: DecodeRequest, signal: AbortSignal): Promise<DecodeOutcome> {
    const end = await this.#decoders.use(signal, (decoder) => decoder.decode(file, request, signal))
    signal.throwIfAborted()
    if (end === undefined) throw new Error('the image decoders are closed')
    return end
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#decoders.close()
  }
}

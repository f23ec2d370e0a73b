import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { WarmPool } from '../../lib/warm-pool.ts'
import { Decoder, type DecodeEnd, type DecoderOptions } from './decoder.ts'
import type { DecodeRequest } from './decode-picture.ts'

export interface DecoderPoolOptions {
  log: DecoderOptions['log']
  /** Children at the same time; by default half the cores, at most four: each may take half a gigabyte. */
  decodersMax?: number
  decodeMsMax?: number
  /** The children's program; another one only in tests. */
  scriptUrl?: URL
}

const decodersMostByDefault = 4
const decodeMsMaxByDefault = 30_000
/** So that whatever a picture has left behind in a child is gone with it. */
const picturesPerDecoderMax = 100
const idleMsMax = 300_000

/**
 * Decodes pictures of strangers in child processes: one that crashes, hangs or eats memory takes only itself down. No
 * child is started before the first picture comes.
 */
export class DecoderPool implements AsyncDisposable {
  readonly #decoders: WarmPool<Decoder>

  constructor({ log, decodersMax, decodeMsMax = decodeMsMaxByDefault, scriptUrl }: DecoderPoolOptions) {
    const script = fileURLToPath(scriptUrl ?? new URL('./decoder-child.ts', import.meta.url))
    this.#decoders = new WarmPool({
      open: () => new Decoder({ script, decodeMsMax, log }),
      membersMax: decodersMax ?? Math.max(1, Math.min(decodersMostByDefault, Math.floor(availableParallelism() / 2))),
      usesMax: picturesPerDecoderMax,
      idleMsMax,
    })
  }

  /** Throws the signal's reason when it aborts, and an error when the fault is not the picture's. */
  async decode(file: Buffer, request: DecodeRequest, signal: AbortSignal): Promise<DecodeEnd> {
    const end = await this.#decoders.use(signal, (decoder) => decoder.decode(file, request, signal))
    signal.throwIfAborted()
    if (end === undefined) throw new Error('the picture decoders are closed')
    return end
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#decoders.close()
  }
}

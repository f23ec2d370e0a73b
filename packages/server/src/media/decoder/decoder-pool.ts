import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { WarmPool } from '../../lib/warm-pool.ts'
import { Decoder, type DecodeEnd, type DecoderOptions } from './decoder.ts'
import type { DecodeRequest } from './decode-image.ts'

export interface DecoderPoolOptions {
  log: DecoderOptions['log']
  /**
   * Concurrent children; by default half the cores, at most four, because each may take half a
   * gigabyte.
   */
  decodersMax?: number
  decodeMsMax?: number
  /** The children's program; replaced only in tests. */
  scriptUrl?: URL
}

const decodersMostByDefault = 4
const decodeMsMaxByDefault = 30_000
/** Bounds the lifetime of anything that an image has left behind in a child. */
const imagesPerDecoderMax = 100
const idleMsMax = 300_000

/**
 * Decodes untrusted images in child processes. An image that makes its child crash, hang or take
 * too much memory affects that child only. The first image starts the first child.
 */
export class DecoderPool implements AsyncDisposable {
  readonly #decoders: WarmPool<Decoder>

  constructor({ log, decodersMax, decodeMsMax = decodeMsMaxByDefault, scriptUrl }: DecoderPoolOptions) {
    const script = fileURLToPath(scriptUrl ?? new URL('./decoder-child.ts', import.meta.url))
    this.#decoders = new WarmPool({
      open: () => new Decoder({ script, decodeMsMax, log }),
      membersMax: decodersMax ?? Math.max(1, Math.min(decodersMostByDefault, Math.floor(availableParallelism() / 2))),
      usesMax: imagesPerDecoderMax,
      idleMsMax,
    })
  }

  /** Throws the signal's reason if it aborts, and an error if the image is not the cause. */
  async decode(file: Buffer, request: DecodeRequest, signal: AbortSignal): Promise<DecodeEnd> {
    const end = await this.#decoders.use(signal, (decoder) => decoder.decode(file, request, signal))
    signal.throwIfAborted()
    if (end === undefined) throw new Error('the image decoders are closed')
    return end
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#decoders.close()
  }
}

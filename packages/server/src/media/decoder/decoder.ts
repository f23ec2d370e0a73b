import type { PixelSize } from '@framegate/contract'
import { LimitedChild, type LimitedChildOptions } from '../../lib/limited-child/limited-child.ts'
import type { Message } from '../../lib/limited-child/messages.ts'
import type { PoolMember } from '../../lib/warm-pool.ts'
import type { DecodedImage, DecodeRequest, UnusableImage, RequestedPixels } from './decode-image.ts'

export type DecodeOutcome =
  | { outcome: 'decoded'; image: DecodedImage }
  | { outcome: 'unusable'; unusable: UnusableImage }
  /** The child crashed while decoding the image. */
  | { outcome: 'crashed' }
  | { outcome: 'too_slow' }

export interface DecoderOptions {
  script: string
  /** Time limit per image, including the start of the child. */
  decodeMsMax: number
  log: LimitedChildOptions['log']
}

type FromDecoder = ({ kind: 'pixels' } & Omit<DecodedImage, 'rgba'>) | ({ kind: 'unusable' } & UnusableImage)

/** Maximum size of the pixels of a decoded image: 4096 x 4096, more than any frame. */
const pixelBytesMax = 64 * 1024 * 1024
/** Resource limits of a child. The most expensive accepted image takes 600 MB. */
const childLimits = { heapMegabytesMax: 64, memoryKilobytesMax: 1280 * 1024 }

/**
 * A child process that decodes one image at a time. If an image takes too long or its signal
 * aborts, the child is killed and cannot be used again.
 */
export class Decoder implements PoolMember {
  readonly #child: LimitedChild

  constructor({ script, decodeMsMax, log }: DecoderOptions) {
    this.#child = new LimitedChild({
      name: 'an image decoder',
      script,
      limits: childLimits,
      bodyBytesMax: pixelBytesMax,
      exchangeMsMax: decodeMsMax,
      log,
    })
  }

  get isDead(): boolean {
    return this.#child.isDead
  }

  /**
   * Throws the signal's reason if it aborts, and another error if a failure was not caused by the
   * image.
   */
  async decode(file: Buffer, request: DecodeRequest, signal: AbortSignal): Promise<DecodeOutcome> {
    const end = await this.#child.exchange(request, file, signal)
    if (end.outcome !== 'response') return { outcome: end.outcome }
    const response = end.message.header as FromDecoder
    if (response.kind === 'unusable')
      return { outcome: 'unusable', unusable: { code: response.code, sentence: response.sentence } }
    const image = imageIn(end.message, request.requested)
    if (image !== undefined) return { outcome: 'decoded', image }
    void this.close()
    return { outcome: 'crashed' }
  }

  async close(): Promise<void> {
    await this.#child.close()
  }
}

/**
 * Validates a message and returns its image. An image that has taken control of the child could
 * make it send anything.
 */
function imageIn({ header, body }: Message, { fit, width, height }: RequestedPixels): DecodedImage | undefined {
  const response = header as FromDecoder
  if (response.kind !== 'pixels') return undefined
  const matchesRequest =
    fit === 'cover'
      ? response.width === width && response.height === height
      : response.width > 0 && response.width <= width && response.height > 0 && response.height <= height
  if (!matchesRequest || body.byteLength !== response.width * response.height * 4) return undefined
  const originalSize: Partial<PixelSize> = response.originalSize ?? {}
  if (!isSide(originalSize.width) || !isSide(originalSize.height)) return undefined
  return {
    width: response.width,
    height: response.height,
    rgba: body,
    originalSize: { width: originalSize.width, height: originalSize.height },
  }
}

function isSide(side: number | undefined): side is number {
  return side !== undefined && Number.isSafeInteger(side) && side > 0
}

import { unreachable } from '../lib/unreachable.ts'
import type { DecodedImage, DecodeLimits, RequestedPixels } from './decoder/decode-image.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { defaultImageLimits } from './image-limits.ts'
import { InvalidImage, sendAnImage } from './invalid-image.ts'
import { describeFormat, imageTypeOf, type ImageType } from '../lib/image-type.ts'

/**
 * Decodes an untrusted file in a child process. Throws an `InvalidImage` if the file is not a
 * usable image.
 */
export type DecodeImageFile = (
  file: Buffer,
  options: RequestedPixels & { signal: AbortSignal; position: string },
) => Promise<DecodedImage & { type: ImageType }>

export function createDecodeImageFile(
  decoders: Pick<DecoderPool, 'decode'>,
  limits: DecodeLimits = defaultImageLimits,
): DecodeImageFile {
  const { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax } = limits
  const decodeLimits: DecodeLimits = { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax }

  return async (file, { position, signal, fit, width, height }) => {
    const type = imageTypeOf(file)
    if (type === undefined) throw new InvalidImage('not_an_image', position, `this is ${describeFormat(file)}; ${sendAnImage}`)
    const end = await decoders.decode(file, { type, requested: { fit, width, height }, limits: decodeLimits }, signal)
    switch (end.outcome) {
      case 'decoded':
        return { ...end.image, type }
      case 'unusable':
        throw new InvalidImage(end.unusable.code, position, end.unusable.sentence)
      case 'crashed':
        throw new InvalidImage('damaged', position, `the image cannot be decoded; save it again and ${sendAnImage}`)
      case 'too_slow':
        throw new InvalidImage('too_large', position, 'the image takes too long to decode; send a smaller one')
      default:
        return unreachable(end)
    }
  }
}

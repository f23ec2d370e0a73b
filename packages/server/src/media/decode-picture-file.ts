import { unreachable } from '../lib/unreachable.ts'
import type { DecodedPicture, DecodeLimits, WantedPixels } from './decoder/decode-picture.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { defaultPictureLimits } from './picture-limits.ts'
import { PictureRefusal, sendAPicture } from './picture-refusal.ts'
import { looksLike, pictureTypeOf, type PictureType } from '../lib/picture-type.ts'

/**
 * Decodes an untrusted file in a child process. Throws a PictureRefusal if it is no usable image.
 */
export type DecodePictureFile = (
  file: Buffer,
  options: WantedPixels & { signal: AbortSignal; position: string },
) => Promise<DecodedPicture & { type: PictureType }>

export function createDecodePictureFile(
  decoders: Pick<DecoderPool, 'decode'>,
  limits: DecodeLimits = defaultPictureLimits,
): DecodePictureFile {
  const { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax } = limits
  const decodeLimits: DecodeLimits = { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax }

  return async (file, { position, signal, fit, width, height }) => {
    const type = pictureTypeOf(file)
    if (type === undefined) throw new PictureRefusal('not_a_picture', position, `this is ${looksLike(file)}; ${sendAPicture}`)
    const end = await decoders.decode(file, { type, wanted: { fit, width, height }, limits: decodeLimits }, signal)
    switch (end.how) {
      case 'decoded':
        return { ...end.picture, type }
      case 'unusable':
        throw new PictureRefusal(end.unusable.fault, position, end.unusable.sentence)
      case 'crashed':
        throw new PictureRefusal('damaged', position, `the image cannot be decoded; save it again and ${sendAPicture}`)
      case 'too_slow':
        throw new PictureRefusal('too_large', position, 'the image takes too long to decode; send a smaller one')
      default:
        return unreachable(end)
    }
  }
}

import type { DecodedImage, RequestedPixels } from './decoder/decode-image.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { createDecodeImageFile } from './decode-image-file.ts'
import type { ImageLimits } from './image-limits.ts'
import { createReadImageFile, type ReadImageFileDependencies, type ReadImageFileOptions } from './read-image-file.ts'

/**
 * Converts an untrusted image (an address, a data URI or an asset) to raw pixels: upright, sRGB, 8
 * bits, straight alpha, without metadata. Of an animation, the first frame is used.
 *
 *   read      the file, with limits of its bytes and of the time         read-image-file.ts
 *   inspect   the type by the first bytes                                decode-image-file.ts
 *   decode    in a child process, with limits of time and memory
 */
export type ReadImage = (source: string, options: ReadImageOptions) => Promise<DecodedImage>

export interface ReadImageOptions extends ReadImageFileOptions, RequestedPixels {}

export interface ReadImageParts extends ReadImageFileDependencies {
  decoders: Pick<DecoderPool, 'decode'>
  limits?: ImageLimits
}

export function createReadImage(parts: ReadImageParts): ReadImage {
  const readImageFile = createReadImageFile(parts)
  const decodeImageFile = createDecodeImageFile(parts.decoders, parts.limits)
  return async (source, options) => await decodeImageFile(await readImageFile(source, options), options)
}

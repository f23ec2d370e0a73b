import type { DecodedImage, RequestedPixels } from './decoder/decode-image.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { createDecodeImageFile } from './decode-image-file.ts'
import type { ImageLimits } from './image-limits.ts'
import { createReadImageFile, type ReadImageFileDependencies, type ReadImageFileOptions } from './read-image-file.ts'

/**
 * Reads an untrusted image (a URL, a data URI or an asset) and converts it to raw pixels: upright,
 * sRGB, 8 bits per channel, straight alpha, without metadata. An animation is reduced to its first
 * frame.
 *
 *   read      the file, with limits of its size and of the time          read-image-file.ts
 *   inspect   the type by the first bytes                                decode-image-file.ts
 *   decode    in a child process, with limits of time and memory
 */
export type ReadImage = (source: string, options: ReadImageOptions) => Promise<DecodedImage>

export interface ReadImageOptions extends ReadImageFileOptions, RequestedPixels {}

export interface ReadImageDependencies extends ReadImageFileDependencies {
  decoders: Pick<DecoderPool, 'decode'>
  limits?: ImageLimits
}

export function createReadImage(dependencies: ReadImageDependencies): ReadImage {
  const readImageFile = createReadImageFile(dependencies)
  const decodeImageFile = createDecodeImageFile(dependencies.decoders, dependencies.limits)
  return async (source, options) => await decodeImageFile(await readImageFile(source, options), options)
}

import type { DecodedPicture, WantedPixels } from './decoder/decode-picture.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { createDecodePictureFile } from './decode-picture-file.ts'
import type { PictureLimits } from './picture-limits.ts'
import { createReadPictureFile, type PictureFileParts, type ReadPictureFileOptions } from './read-picture-file.ts'

/**
 * Turns an untrusted image (an address, a data URI or an asset) into plain pixels: upright, sRGB, 8
 * bits, straight alpha, without metadata. Of an animation it takes the first frame.
 *
 *   read     the file, its bytes and the time for them bounded        read-picture-file.ts
 *   look     the type by the first bytes                              decode-picture-file.ts
 *   decode   in a child process, bounded in time and memory
 */
export type ReadPicture = (source: string, options: ReadPictureOptions) => Promise<DecodedPicture>

export interface ReadPictureOptions extends ReadPictureFileOptions, WantedPixels {}

export interface ReadPictureParts extends PictureFileParts {
  decoders: Pick<DecoderPool, 'decode'>
  limits?: PictureLimits
}

export function createReadPicture(parts: ReadPictureParts): ReadPicture {
  const readPictureFile = createReadPictureFile(parts)
  const decodePictureFile = createDecodePictureFile(parts.decoders, parts.limits)
  return async (source, options) => await decodePictureFile(await readPictureFile(source, options), options)
}

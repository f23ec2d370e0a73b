import sharp from 'sharp'
import { sendAnImage, type ImageErrorCode } from '../invalid-image.ts'
import type { ImageType } from '../../lib/image-type.ts'
import { countJpegScans } from './count-jpeg-scans.ts'
import { closeOtherLoaders } from './image-loaders.ts'

/**
 * The wanted size of an image. `cover` fills exactly width x height and crops the rest. `inside`
 * keeps the whole image and never enlarges it.
 */
export interface RequestedPixels {
  fit: 'cover' | 'inside'
  width: number
  height: number
}

export interface DecodedImage {
  width: number
  height: number
  rgba: Uint8Array
  /** Size of the whole image after its rotation to upright, and before it was fitted. */
  originalSize: ImageSides
}

export interface ImageSides {
  width: number
  height: number
}

export interface UnusableImage {
  code: ImageErrorCode
  /** The problem and the remedy. The position of the image is not included. */
  sentence: string
}

export interface DecodeLimits {
  pixelsMax: number
  /**
   * Limit for AVIF, which is decoded completely and in several forms at once, with up to 26 bytes
   * per pixel. No other type takes more than 10 bytes per pixel.
   */
  avifPixelsMax: number
  /** Limit of the ratio of the longer side to the shorter side. */
  sidesRatioMax: number
  /** Limit of the scans of a progressive JPEG. Cameras and editors write about ten scans. */
  scansMax: number
}

export interface DecodeRequest {
  /** Type of the image according to its first bytes. */
  type: ImageType
  requested: RequestedPixels
  limits: DecodeLimits
}

// Images are decoded one at a time and never twice. Threads and caches of the library would
// therefore only take capacity from the renderers.
sharp.concurrency(1)
sharp.cache(false)
closeOtherLoaders()

/**
 * Decodes an image. The size in the header and the scans of a JPEG are checked first, so that a
 * decompression bomb is refused before it is decoded. The image is then decoded to its end, so that
 * an incomplete file is noticed.
 */
export async function decodeImage(
  bytes: Buffer,
  { type, requested, limits }: DecodeRequest,
): Promise<DecodedImage | UnusableImage> {
  const { fit, width, height } = requested
  if (type === 'image/jpeg' && countJpegScans(bytes, limits.scansMax + 1) > limits.scansMax) {
    const sentence = `the image is a JPEG with more than ${limits.scansMax} scans; save it as a baseline JPEG`
    return { code: 'too_large', sentence }
  }
  const pixelsMax = type === 'image/avif' ? limits.avifPixelsMax : limits.pixelsMax
  try {
    // Reads only the header. A limit in this call would produce the library's own message.
    const size = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
    const sizeRefusal = findSizeRefusal(size, pixelsMax, limits.sidesRatioMax)
    if (sizeRefusal !== undefined) return sizeRefusal
    const { data, info } = await sharp(bytes, {
      failOn: 'error',
      limitInputPixels: limits.pixelsMax,
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { autoOrient: uprightSize } = size
    return {
      width: info.width,
      height: info.height,
      rgba: data,
      originalSize: { width: uprightSize.width, height: uprightSize.height },
    }
  } catch (error) {
    return refusalOf(error, pixelsMax)
  }
}

function findSizeRefusal(
  { width, height }: { width: number; height: number },
  pixelsMax: number,
  sidesRatioMax: number,
): UnusableImage | undefined {
  const message = `the image has ${width} x ${height} pixels`
  if (width * height > pixelsMax) return { code: 'too_large', sentence: `${message}; ${limitText(pixelsMax)}` }
  // Filling a video frame with a very narrow image enlarges it to billions of pixels, nearly all of
  // which are cropped.
  if (Math.max(width, height) > sidesRatioMax * Math.min(width, height)) {
    const sentence = `${message}; send one whose longer side is at most ${sidesRatioMax} times the shorter`
    return { code: 'too_narrow', sentence }
  }
  return undefined
}

/**
 * Returns the refusal for an error of the library, which reports text and no codes. For some files,
 * the library allocates the memory before the size can be read.
 */
function refusalOf(error: unknown, pixelsMax: number): UnusableImage {
  if (error instanceof Error && /out of memory|memory allocation/i.test(error.message)) {
    return { code: 'too_large', sentence: `the image takes too much memory to decode; ${limitText(pixelsMax)}` }
  }
  return { code: 'damaged', sentence: `the image is damaged or incomplete; save it again and ${sendAnImage}` }
}

function limitText(pixelsMax: number): string {
  return `send one of at most ${Math.floor(pixelsMax / 1_000_000)} megapixels`
}

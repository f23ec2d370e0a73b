import sharp from 'sharp'
import { sendAnImage, type ImageErrorCode } from '../image-refusal.ts'
import type { ImageType } from '../../lib/image-type.ts'
import { countJpegScans } from './count-jpeg-scans.ts'
import { closeOtherLoaders } from './image-loaders.ts'

/**
 * The wanted fit of an image: `cover` fills exactly width x height and crops the rest; `inside`
 * keeps the whole image and never enlarges it.
 */
export interface WantedPixels {
  fit: 'cover' | 'inside'
  width: number
  height: number
}

export interface DecodedImage {
  width: number
  height: number
  rgba: Uint8Array
  /** Size of the whole image, upright, before it was fitted. */
  whole: ImageSides
}

export interface ImageSides {
  width: number
  height: number
}

export interface UnusableImage {
  code: ImageErrorCode
  /** The problem and the remedy, without the image's position. */
  sentence: string
}

export interface DecodeLimits {
  pixelsMax: number
  /**
   * AVIF is decoded whole and in several forms at once, at up to 26 bytes a pixel; no other type
   * takes over 10.
   */
  avifPixelsMax: number
  /** The longer side over the shorter. */
  sidesRatioMax: number
  /** Scans of a progressive JPEG; cameras and editors write about ten. */
  scansMax: number
}

export interface DecodeRequest {
  /** The type according to the first bytes. */
  type: ImageType
  wanted: WantedPixels
  limits: DecodeLimits
}

// Images come one by one and never twice: threads and caches of the library would only take
// capacity from the renderers.
sharp.concurrency(1)
sharp.cache(false)
closeOtherLoaders()

/**
 * Checks the size in the header and the scans of a JPEG first, so that a decompression bomb is
 * refused before it is decoded. Then decodes to the end, so that an image that was cut short is
 * noticed.
 */
export async function decodeImage(bytes: Buffer, { type, wanted, limits }: DecodeRequest): Promise<DecodedImage | UnusableImage> {
  const { fit, width, height } = wanted
  if (type === 'image/jpeg' && countJpegScans(bytes, limits.scansMax + 1) > limits.scansMax) {
    const sentence = `the image is a JPEG with more than ${limits.scansMax} scans; save it as a baseline JPEG`
    return { code: 'too_large', sentence }
  }
  const pixelsMax = type === 'image/avif' ? limits.avifPixelsMax : limits.pixelsMax
  try {
    // Reads only the header. A limit here would produce the library's own message.
    const size = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
    const unfair = findUnfair(size, pixelsMax, limits.sidesRatioMax)
    if (unfair !== undefined) return unfair
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
    const { autoOrient: whole } = size
    return { width: info.width, height: info.height, rgba: data, whole: { width: whole.width, height: whole.height } }
  } catch (error) {
    return whatFailed(error, pixelsMax)
  }
}

function findUnfair(
  { width, height }: { width: number; height: number },
  pixelsMax: number,
  sidesRatioMax: number,
): UnusableImage | undefined {
  const found = `the image has ${width} x ${height} pixels`
  if (width * height > pixelsMax) return { code: 'too_large', sentence: `${found}; ${ofAtMost(pixelsMax)}` }
  // Filling a video frame with a very narrow image enlarges it to billions of pixels, nearly all of
  // which are cropped.
  if (Math.max(width, height) > sidesRatioMax * Math.min(width, height)) {
    const sentence = `${found}; send one whose longer side is at most ${sidesRatioMax} times the shorter`
    return { code: 'too_narrow', sentence }
  }
  return undefined
}

/**
 * The library reports text and no codes. For some files it allocates the memory before the size can
 * be read.
 */
function whatFailed(error: unknown, pixelsMax: number): UnusableImage {
  if (error instanceof Error && /out of memory|memory allocation/i.test(error.message)) {
    return { code: 'too_large', sentence: `the image takes too much memory to decode; ${ofAtMost(pixelsMax)}` }
  }
  return { code: 'damaged', sentence: `the image is damaged or incomplete; save it again and ${sendAnImage}` }
}

function ofAtMost(pixels: number): string {
  return `send one of at most ${Math.floor(pixels / 1_000_000)} megapixels`
}

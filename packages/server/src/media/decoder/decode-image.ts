import type { PixelSize } from '@framegate/contract'
import sharp from 'sharp'
import { sendAnImage, type ImageErrorCode } from '../invalid-image.ts'
import type { ImageType } from '../../lib/image-type.ts'
import { countJpegScans } from './count-jpeg-scans.ts'
import { closeOtherLoaders } from './image-loaders.ts'

/**
 * The requested size of an image. `cover`: the image is scaled to cover width x height exactly, and
 * the rest is cropped. `inside`: the whole image is scaled down to at most width x height.
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
  /** Size of the upright image, before it was scaled and cropped. */
  originalSize: PixelSize
}

export interface UnusableImage {
  code: ImageErrorCode
  /** The problem and the remedy, without the position of the image. */
  sentence: string
}

export interface DecodeLimits {
  pixelsMax: number
  /**
   * Maximum number of pixels for AVIF, whose decoder needs up to 26 bytes per pixel. Other types
   * need at most 10.
   */
  avifPixelsMax: number
  /** Maximum ratio of the longer side to the shorter side. */
  sidesRatioMax: number
  /** Maximum number of scans of a progressive JPEG. Cameras and editors write about ten. */
  scansMax: number
}

export interface DecodeRequest {
  /** Type of the image according to its first bytes. */
  type: ImageType
  requested: RequestedPixels
  limits: DecodeLimits
}

// Images are decoded one at a time and never twice, so threads and caches of the library would only
// take resources from the renderers.
sharp.concurrency(1)
sharp.cache(false)
closeOtherLoaders()

/**
 * Decodes an image. First checks the size in the header and the number of scans of a JPEG, so that
 * a decompression bomb is rejected before it is decoded. Decodes the whole image, so that
 * incomplete files are detected.
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
    // Reads only the header. The library's own limit is disabled, because its error message is not
    // suitable for clients.
    const header = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
    const sizeRefusal = findSizeRefusal(header, pixelsMax, limits.sidesRatioMax)
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
    const { autoOrient: uprightSize } = header
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
  const problem = `the image has ${width} x ${height} pixels`
  if (width * height > pixelsMax) return { code: 'too_large', sentence: `${problem}; ${limitText(pixelsMax)}` }
  // To fill a video frame, a very narrow image would be enlarged to billions of pixels, most of
  // which would be cropped.
  if (Math.max(width, height) > sidesRatioMax * Math.min(width, height)) {
    const sentence = `${problem}; send one whose longer side is at most ${sidesRatioMax} times the shorter`
    return { code: 'too_narrow', sentence }
  }
  return undefined
}

/**
 * Converts an error of the library, which has no code but a text. The library runs out of memory
 * for some files before their size is known.
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

import sharp from 'sharp'
import { sendAPicture, type PictureFault } from '../picture-refusal.ts'
import type { PictureType } from '../../lib/picture-type.ts'
import { countJpegScans } from './count-jpeg-scans.ts'
import { closeOtherLoaders } from './picture-loaders.ts'

/** How a picture is wanted: `cover` fills exactly width x height, cropping what is over; `inside` keeps the whole, never enlarged. */
export interface WantedPixels {
  fit: 'cover' | 'inside'
  width: number
  height: number
}

export interface DecodedPicture {
  width: number
  height: number
  rgba: Uint8Array
  /** The whole picture, upright, before it was made to fit. */
  whole: PictureSides
}

export interface PictureSides {
  width: number
  height: number
}

export interface UnusablePicture {
  fault: PictureFault
  /** What is wrong and what would be right, without the picture's position. */
  sentence: string
}

export interface DecodeLimits {
  pixelsMax: number
  /** AVIF is unfolded whole and in several forms at once, at up to 26 bytes a pixel; no other type takes over 10. */
  avifPixelsMax: number
  /** The longer side over the shorter. */
  sidesRatioMax: number
  /** Of a progressive JPEG; camera and editor write about ten. */
  scansMax: number
}

export interface DecodeRequest {
  /** What the first bytes say. */
  type: PictureType
  wanted: WantedPixels
  limits: DecodeLimits
}

// Pictures come one by one and never twice: threads and caches of the library would only take from the renderers.
sharp.concurrency(1)
sharp.cache(false)
closeOtherLoaders()

/**
 * The size by the header, the scans of a JPEG: a bomb is refused before anything is unfolded. Then to the end, so that a
 * picture that was cut short is noticed.
 */
export async function decodePicture(
  bytes: Buffer,
  { type, wanted, limits }: DecodeRequest,
): Promise<DecodedPicture | UnusablePicture> {
  const { fit, width, height } = wanted
  if (type === 'image/jpeg' && countJpegScans(bytes, limits.scansMax + 1) > limits.scansMax) {
    const sentence = `the picture is a JPEG of more than ${limits.scansMax} scans; save it as an ordinary JPEG`
    return { fault: 'too_large', sentence }
  }
  const pixelsMax = type === 'image/avif' ? limits.avifPixelsMax : limits.pixelsMax
  try {
    // Reads the header and nothing more. With a limit it would refuse in words of its own.
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
): UnusablePicture | undefined {
  const found = `the picture has ${width} x ${height} pixels`
  if (width * height > pixelsMax) return { fault: 'too_large', sentence: `${found}; ${ofAtMost(pixelsMax)}` }
  // Filling a film with a thread enlarges it to billions of pixels, of which nearly all are cut off again.
  if (Math.max(width, height) > sidesRatioMax * Math.min(width, height)) {
    const sentence = `${found}; send one whose longer side is at most ${sidesRatioMax} times the shorter`
    return { fault: 'too_narrow', sentence }
  }
  return undefined
}

/** The library has words and no codes. For some files it takes the memory before the size can be asked for. */
function whatFailed(error: unknown, pixelsMax: number): UnusablePicture {
  if (error instanceof Error && /out of memory|memory allocation/i.test(error.message)) {
    return { fault: 'too_large', sentence: `the picture takes too much memory to decode; ${ofAtMost(pixelsMax)}` }
  }
  return { fault: 'damaged', sentence: `the picture is damaged or incomplete; ${sendAPicture} that is whole` }
}

function ofAtMost(pixels: number): string {
  return `send one of at most ${Math.floor(pixels / 1_000_000)} megapixels`
}

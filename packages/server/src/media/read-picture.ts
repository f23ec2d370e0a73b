import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { countJpegScans } from './count-jpeg-scans.ts'
import { bytesOfDataUri, isDataUri } from './data-uri.ts'
import { closeOtherLoaders } from './picture-loaders.ts'
import { PictureRefusal } from './picture-refusal.ts'
import { looksLike, pictureTypeOf, type PictureType } from './picture-type.ts'
import { createTurns } from './take-turns.ts'

/**
 * Turns a picture that somebody sent us (an http or https URL, or a data URI) into plain pixels: upright, sRGB, 8 bits,
 * straight alpha, nothing of its metadata left. Of an animation the first frame.
 *
 *   fetch    through the guarded fetch; bytes and time bounded
 *   look     the type by the first bytes, the size by the header, the scans of a JPEG: a bomb is refused before anything
 *            is unfolded
 *   decode   to the end, so that a picture that was cut short is noticed; one by one, for the worst takes half a gigabyte
 */
export type ReadPicture = (source: string, options: ReadPictureOptions) => Promise<DecodedPicture>

export interface ReadPictureOptions {
  /** `cover` fills exactly width x height, cropping what is over; `inside` keeps the whole, never enlarged. */
  fit: 'cover' | 'inside'
  width: number
  height: number
  signal: AbortSignal
  /** Where the picture stands in the parameters, for messages: `first_frame`, `reference_images/2`. */
  position: string
}

export interface DecodedPicture {
  width: number
  height: number
  rgba: Uint8Array
}

export interface PictureLimits {
  bytesMax: number
  pixelsMax: number
  /** AVIF is unfolded whole and in several forms at once, at up to 26 bytes a pixel; no other type takes over 10. */
  avifPixelsMax: number
  /** The longer side over the shorter. */
  sidesRatioMax: number
  /** Of a progressive JPEG; camera and editor write about ten. */
  scansMax: number
  fetchMs: number
  decodeSecondsMax: number
  decodesMax: number
}

export const defaultPictureLimits: PictureLimits = {
  bytesMax: 20 * 1024 * 1024,
  pixelsMax: 50_000_000,
  avifPixelsMax: 20_000_000,
  sidesRatioMax: 100,
  scansMax: 100,
  fetchMs: 30_000,
  decodeSecondsMax: 30,
  decodesMax: 1,
}

const wanted = 'send a JPEG, PNG, WebP, AVIF or GIF picture'
const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1'

export function createReadPicture(parts: { fetchUntrusted: FetchUntrusted; limits?: PictureLimits }): ReadPicture {
  const { fetchUntrusted, limits = defaultPictureLimits } = parts
  const inTurn = createTurns(limits.decodesMax)
  // Pictures come one by one and never twice: threads and caches of the library would only take from the renderers.
  sharp.concurrency(1)
  sharp.cache(false)
  closeOtherLoaders()

  return async function readPicture(source, options) {
    const bytes = isDataUri(source) ? readDataUri(source, options) : await fetchBytes(source, options)
    return await inTurn(async () => {
      options.signal.throwIfAborted()
      const picture = await decode(bytes, options, limits)
      options.signal.throwIfAborted()
      return picture
    })
  }

  function readDataUri(source: string, { position }: ReadPictureOptions): Buffer {
    const bytes = bytesOfDataUri(source, limits.bytesMax)
    if (Buffer.isBuffer(bytes)) return bytes
    throw new PictureRefusal('damaged', position, `${bytes.fault}; send data:image/png;base64, and the encoded picture`)
  }

  async function fetchBytes(source: string, { position, signal }: ReadPictureOptions): Promise<Buffer> {
    try {
      const { bytesMax, fetchMs: timeoutMs } = limits
      return await buffer((await fetchUntrusted(source, { bytesMax, timeoutMs, accept, signal })).stream)
    } catch (cause) {
      if (!(cause instanceof UntrustedFetchRefusal)) throw cause
      const fault = cause.reason === 'too_large' ? 'too_large' : 'unreachable'
      const sentence = `${cause.message}; send the public http or https address of a picture, or a data URI`
      throw new PictureRefusal(fault, position, sentence, { cause, isPassing: cause.isPassing })
    }
  }
}

async function decode(bytes: Buffer, options: ReadPictureOptions, limits: PictureLimits): Promise<DecodedPicture> {
  const { fit, width, height, position } = options
  const type = pictureTypeOf(bytes)
  if (type === undefined) {
    throw new PictureRefusal('not_a_picture', position, `this is ${looksLike(bytes)}; ${wanted}`)
  }
  if (type === 'image/jpeg' && countJpegScans(bytes, limits.scansMax + 1) > limits.scansMax) {
    const sentence = `the picture is a JPEG of more than ${limits.scansMax} scans; save it as an ordinary JPEG`
    throw new PictureRefusal('too_large', position, sentence)
  }
  try {
    // Reads the header and nothing more. With a limit it would refuse in words of its own.
    const size = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
    requireFair(size, type, position, limits)
    const { data, info } = await sharp(bytes, {
      failOn: 'error',
      limitInputPixels: limits.pixelsMax,
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .toColourspace('srgb')
      .ensureAlpha()
      .timeout({ seconds: limits.decodeSecondsMax })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, rgba: data }
  } catch (cause) {
    if (cause instanceof PictureRefusal) throw cause
    throw new PictureRefusal('damaged', position, `the picture is damaged or incomplete; ${wanted} that is whole`, {
      cause,
    })
  }
}

function requireFair(
  { width, height }: { width: number; height: number },
  type: PictureType,
  position: string,
  limits: PictureLimits,
): void {
  const { sidesRatioMax } = limits
  const pixelsMax = type === 'image/avif' ? limits.avifPixelsMax : limits.pixelsMax
  const found = `the picture has ${width} x ${height} pixels`
  if (width * height > pixelsMax) {
    const megapixels = Math.floor(pixelsMax / 1_000_000)
    throw new PictureRefusal('too_large', position, `${found}; send one of at most ${megapixels} megapixels`)
  }
  // Filling a film with a thread enlarges it to billions of pixels, of which nearly all are cut off again.
  if (Math.max(width, height) > sidesRatioMax * Math.min(width, height)) {
    const sentence = `${found}; send one whose longer side is at most ${sidesRatioMax} times the shorter`
    throw new PictureRefusal('too_narrow', position, sentence)
  }
}

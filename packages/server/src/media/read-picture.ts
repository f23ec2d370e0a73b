import { buffer } from 'node:stream/consumers'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { unreachable } from '../lib/unreachable.ts'
import { bytesOfDataUri, isDataUri } from './data-uri.ts'
import type { DecodedPicture, DecodeLimits, WantedPixels } from './decoder/decode-picture.ts'
import type { DecoderPool } from './decoder/decoder-pool.ts'
import { PictureRefusal, sendAPicture } from './picture-refusal.ts'
import { looksLike, pictureTypeOf } from './picture-type.ts'

/**
 * Turns a picture that somebody sent us (an http or https URL, or a data URI) into plain pixels: upright, sRGB, 8 bits,
 * straight alpha, nothing of its metadata left. Of an animation the first frame.
 *
 *   fetch    through the guarded fetch; bytes and time bounded
 *   look     the type by the first bytes
 *   decode   in a child process, bounded in time and memory
 */
export type ReadPicture = (source: string, options: ReadPictureOptions) => Promise<DecodedPicture>

export interface ReadPictureOptions extends WantedPixels {
  signal: AbortSignal
  /** Where the picture stands in the parameters, for messages: `first_frame`, `reference_images/2`. */
  position: string
}

export interface PictureLimits extends DecodeLimits {
  bytesMax: number
  fetchMs: number
}

export const defaultPictureLimits: PictureLimits = {
  bytesMax: 20 * 1024 * 1024,
  pixelsMax: 50_000_000,
  avifPixelsMax: 20_000_000,
  sidesRatioMax: 100,
  scansMax: 100,
  fetchMs: 30_000,
}

const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1'

export interface ReadPictureParts {
  fetchUntrusted: FetchUntrusted
  decoders: Pick<DecoderPool, 'decode'>
  limits?: PictureLimits
}

export function createReadPicture({ fetchUntrusted, decoders, limits = defaultPictureLimits }: ReadPictureParts): ReadPicture {
  const { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax } = limits
  const decodeLimits: DecodeLimits = { pixelsMax, avifPixelsMax, sidesRatioMax, scansMax }

  return async function readPicture(source, options) {
    return await decode(isDataUri(source) ? readDataUri(source, options) : await fetchBytes(source, options), options)
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

  async function decode(bytes: Buffer, { position, signal, fit, width, height }: ReadPictureOptions): Promise<DecodedPicture> {
    const type = pictureTypeOf(bytes)
    if (type === undefined) throw new PictureRefusal('not_a_picture', position, `this is ${looksLike(bytes)}; ${sendAPicture}`)
    const end = await decoders.decode(bytes, { type, wanted: { fit, width, height }, limits: decodeLimits }, signal)
    switch (end.how) {
      case 'decoded':
        return end.picture
      case 'unusable':
        throw new PictureRefusal(end.unusable.fault, position, end.unusable.sentence)
      case 'crashed':
        throw new PictureRefusal('damaged', position, `the picture cannot be decoded; ${sendAPicture} that was saved anew`)
      case 'too_slow':
        throw new PictureRefusal('too_large', position, 'the picture takes too long to decode; send a smaller one')
      default:
        return unreachable(end)
    }
  }
}

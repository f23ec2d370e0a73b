import { buffer } from 'node:stream/consumers'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { bytesOfDataUri, isDataUri } from '../../media/data-uri.ts'
import { looksLike, pictureTypeOf, type PictureType } from '../../media/picture-type.ts'
import { sendAPicture } from '../../media/picture-refusal.ts'
import { DriverRefusal } from '../driver.ts'

/** The pictures of a job, as an upstream wants them: by an address that it can fetch, or as bytes. */
export interface UpstreamPictures {
  /** Null when there is none that the upstream could reach: then it needs the bytes. */
  publicUrl(picture: string): string | null
  /** Throws a `DriverRefusal` that names the position when it cannot be had or is no picture. */
  bytes(picture: string, position: string, signal: AbortSignal): Promise<PictureBytes>
}

export interface PictureBytes {
  bytes: Buffer
  contentType: PictureType
}

const bytesMax = 20 * 1024 * 1024
const fetchMs = 30_000

export function createUpstreamPictures({ fetchUntrusted }: { fetchUntrusted: FetchUntrusted }): UpstreamPictures {
  async function read(picture: string, position: string, signal: AbortSignal): Promise<Buffer> {
    if (isDataUri(picture)) {
      const bytes = bytesOfDataUri(picture, bytesMax)
      if (Buffer.isBuffer(bytes)) return bytes
      throw new DriverRefusal('invalid_input', `${position}: ${bytes.fault}.`)
    }
    try {
      return await buffer((await fetchUntrusted(picture, { bytesMax, timeoutMs: fetchMs, signal })).stream)
    } catch (cause) {
      if (!(cause instanceof UntrustedFetchRefusal)) throw cause
      throw new DriverRefusal('invalid_input', `${position}: ${cause.message}.`, { cause })
    }
  }

  return {
    publicUrl: (picture) => (isDataUri(picture) ? null : picture),
    async bytes(picture, position, signal) {
      const bytes = await read(picture, position, signal)
      const contentType = pictureTypeOf(bytes)
      if (contentType !== undefined) return { bytes, contentType }
      throw new DriverRefusal('invalid_input', `${position}: this is ${looksLike(bytes)}; ${sendAPicture}.`)
    },
  }
}

/** For upstreams that take either in the same field. */
export async function urlOrDataUri(
  pictures: UpstreamPictures,
  picture: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  return pictures.publicUrl(picture) ?? (await dataUri(pictures, picture, position, signal))
}

async function dataUri(pictures: UpstreamPictures, picture: string, position: string, signal: AbortSignal): Promise<string> {
  const { bytes, contentType } = await pictures.bytes(picture, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

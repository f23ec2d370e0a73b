import { buffer } from 'node:stream/consumers'
import { assetIdIn } from '../../identity/asset-id.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { bytesOfDataUri, isDataUri } from '../../media/data-uri.ts'
import { looksLike, pictureTypeOf, type PictureType } from '../../lib/picture-type.ts'
import { sendAPicture } from '../../media/picture-refusal.ts'
import { DriverRefusal } from '../driver.ts'

/**
 * The images of a job in the form that an upstream needs: as an address that it can fetch, or as
 * bytes.
 */
export interface UpstreamPictures {
  /** Null if the upstream could reach none: then it needs the bytes. */
  publicUrl(picture: string): Promise<string | null>
  /** Throws a `DriverRefusal` that names the position if the image cannot be read or is none. */
  bytes(picture: string, position: string, signal: AbortSignal): Promise<PictureBytes>
}

export interface PictureBytes {
  bytes: Buffer
  contentType: PictureType
}

/** Source of the images that jobs name as `asset:ID`. */
export interface AssetSource {
  /** Undefined if it is not kept. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /** Null if it is not kept, or cannot be reached from outside. */
  publicUrl(assetId: string): Promise<string | null>
}

export interface UpstreamPicturesParts {
  fetchUntrusted: FetchUntrusted
  /** Left out if there are none. */
  assets?: AssetSource
}

const bytesMax = 20 * 1024 * 1024
const fetchMs = 30_000

export function createUpstreamPictures({ fetchUntrusted, assets }: UpstreamPicturesParts): UpstreamPictures {
  async function read(picture: string, position: string, signal: AbortSignal): Promise<Buffer> {
    const assetId = assetIdIn(picture)
    if (assetId !== undefined) {
      const file = await assets?.readFile(assetId)
      if (file === undefined)
        throw new DriverRefusal('invalid_input', `${position}: this asset is no longer kept; upload it again.`)
      return file
    }
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
    async publicUrl(picture) {
      const assetId = assetIdIn(picture)
      if (assetId !== undefined) return (await assets?.publicUrl(assetId)) ?? null
      return isDataUri(picture) ? null : picture
    },
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
  return (await pictures.publicUrl(picture)) ?? (await dataUri(pictures, picture, position, signal))
}

async function dataUri(pictures: UpstreamPictures, picture: string, position: string, signal: AbortSignal): Promise<string> {
  const { bytes, contentType } = await pictures.bytes(picture, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

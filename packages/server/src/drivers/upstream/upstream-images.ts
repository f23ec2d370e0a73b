import { mediaParameters, type MediaParameter } from '../../catalogue/generation-parameters.ts'
import { buffer } from 'node:stream/consumers'
import { assetIdIn } from '../../identity/asset-id.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../../lib/guarded-fetch/untrusted-fetch-error.ts'
import { bytesOfDataUri, isDataUri } from '../../media/data-uri.ts'
import { describeFormat, imageTypeOf, type ImageType } from '../../lib/image-type.ts'
import type { DecodeImageFile } from '../../media/decode-image-file.ts'
import { sendAnImage } from '../../media/invalid-image.ts'
import { announcedType, type MediaType } from '../../lib/media-type.ts'
import { DriverRefusal, NotAccepted } from '../driver.ts'
import { alphaMask } from './alpha-mask.ts'

/**
 * Provides the images of a job as an upstream needs them: as URLs that it can fetch, or as bytes.
 */
export interface UpstreamImages {
  /**
   * Returns a URL that the upstream can fetch. Null if there is none; the driver must then send the
   * bytes.
   */
  publicUrl(image: string): Promise<string | null>
  /**
   * Reads an image. Throws a `DriverRefusal` that names the parameter if the file cannot be read or
   * is not an image.
   */
  bytes(image: string, position: string, signal: AbortSignal): Promise<ImageBytes>
  /**
   * Returns a mask as a PNG of the size of its image, with an alpha of 0 where the image changes.
   * Throws a `DriverRefusal` if the mask does not fit the image.
   */
  alphaMask(request: { mask: NamedImage; image: NamedImage; signal: AbortSignal }): Promise<ImageBytes>
  /** Reads a video or audio file of at most 50 MiB. Throws the same errors as `bytes`. */
  mediaBytes(source: string, position: string, signal: AbortSignal): Promise<MediaBytes>
}

/** An image of a job, and its position in the parameters. */
export interface NamedImage {
  source: string
  position: string
}

/** A video or audio file of a job, for an upstream that accepts no URL. */
export interface MediaBytes {
  bytes: Buffer
  contentType: MediaType
}

export interface ImageBytes {
  bytes: Buffer
  contentType: ImageType
}

/** Source of the images that jobs name as `asset:ID`. */
export interface AssetSource {
  /** Reads an asset. Undefined if the asset does not exist. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /**
   * Returns the URL of an asset. Null if the asset does not exist, or if upstreams cannot reach
   * this service.
   */
  publicUrl(assetId: string): Promise<string | null>
}

export interface UpstreamImagesParts {
  fetchUntrusted: FetchUntrusted
  decodeImageFile: DecodeImageFile
  /** Undefined if the service has no assets. */
  assets?: AssetSource
}

const imageBytesMax = 20 * 1024 * 1024
const imageFetchMs = 30_000
/** Maximum file size in bytes. Each file is in memory while it is sent. */
const mediaBytesMax = 50 * 1024 * 1024
const mediaFetchMs = 120_000

export function createUpstreamImages({ fetchUntrusted, decodeImageFile, assets }: UpstreamImagesParts): UpstreamImages {
  async function readImage(image: string, position: string, { signal, bytesMax, timeoutMs }: ReadLimits): Promise<Buffer> {
    const assetId = assetIdIn(image)
    if (assetId !== undefined) {
      const file = await assets?.readFile(assetId)
      if (file === undefined)
        throw new DriverRefusal('invalid_input', `${position}: this asset is no longer kept; upload it again.`)
      if (file.byteLength > bytesMax) throw tooLarge(position, bytesMax)
      return file
    }
    if (isDataUri(image)) {
      const bytes = bytesOfDataUri(image, bytesMax)
      if (Buffer.isBuffer(bytes)) return bytes
      throw new DriverRefusal('invalid_input', `${position}: ${bytes.error}.`)
    }
    try {
      return await buffer((await fetchUntrusted(image, { bytesMax, timeoutMs, signal })).stream)
    } catch (cause) {
      if (!(cause instanceof UntrustedFetchError)) throw cause
      throw new DriverRefusal('invalid_input', `${position}: ${cause.message}.`, { cause })
    }
  }

  return {
    async publicUrl(image) {
      const assetId = assetIdIn(image)
      if (assetId !== undefined) return (await assets?.publicUrl(assetId)) ?? null
      return isDataUri(image) ? null : image
    },
    async bytes(image, position, signal) {
      const bytes = await readImage(image, position, { signal, bytesMax: imageBytesMax, timeoutMs: imageFetchMs })
      const contentType = imageTypeOf(bytes)
      if (contentType !== undefined) return { bytes, contentType }
      throw new DriverRefusal('invalid_input', `${position}: this is ${describeFormat(bytes)}; ${sendAnImage}.`)
    },
    async alphaMask({ mask, image, signal }) {
      const limits = { signal, bytesMax: imageBytesMax, timeoutMs: imageFetchMs }
      const files = {
        mask: await readImage(mask.source, mask.position, limits),
        image: await readImage(image.source, image.position, limits),
      }
      const positions = { mask: mask.position, image: image.position }
      return { bytes: await alphaMask(decodeImageFile, { ...files, positions, signal }), contentType: 'image/png' }
    },
    async mediaBytes(source, position, signal) {
      const bytes = await readImage(source, position, { signal, bytesMax: mediaBytesMax, timeoutMs: mediaFetchMs })
      const contentType = announcedType(bytes)
      if (contentType !== undefined) return { bytes, contentType }
      throw new DriverRefusal('invalid_input', `${position}: this is ${describeFormat(bytes)}; send a video or sound.`)
    },
  }
}

interface ReadLimits {
  signal: AbortSignal
  bytesMax: number
  timeoutMs: number
}

function tooLarge(position: string, bytesMax: number): DriverRefusal {
  return new DriverRefusal('invalid_input', `${position}: the file is larger than the ${bytesMax} bytes that this model accepts.`)
}

/**
 * Returns the URL of a video or audio file, for an upstream that fetches it. Throws `NotAccepted`
 * if the upstream could not fetch it.
 */
export async function mediaUrl(images: UpstreamImages, source: string, position: string): Promise<string> {
  const url = await images.publicUrl(source)
  if (url !== null) return url
  throw new NotAccepted('unsuitable', `${position} has no address that the upstream can fetch; set FRAMEGATE_PUBLIC_URL`)
}

/** Like `mediaUrl`, but returns a data URI if there is no URL. */
export async function mediaUrlOrData(
  images: UpstreamImages,
  source: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  const url = await images.publicUrl(source)
  if (url !== null) return url
  const { bytes, contentType } = await images.mediaBytes(source, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

/**
 * Returns the URL of an image, or a data URI if there is none, for upstreams that accept both in
 * the same field.
 */
export async function urlOrDataUri(
  images: UpstreamImages,
  image: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  return (await images.publicUrl(image)) ?? (await dataUri(images, image, position, signal))
}

/**
 * Returns the URL of a parameter's file, or a data URI if there is none, for upstreams that accept
 * both in the same field.
 */
export function fileUrlOrData(
  images: UpstreamImages,
  source: string,
  { name, position, signal }: { name: MediaParameter; position: string; signal: AbortSignal },
): Promise<string> {
  const send = mediaParameters[name] === 'image' ? urlOrDataUri : mediaUrlOrData
  return send(images, source, position, signal)
}

async function dataUri(images: UpstreamImages, image: string, position: string, signal: AbortSignal): Promise<string> {
  const { bytes, contentType } = await images.bytes(image, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

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
import { DriverRefusal, fileBytesMax, NotAccepted } from '../driver.ts'
import { alphaMask } from './alpha-mask.ts'

/**
 * Provides the images, videos and audio files of a job as an upstream needs them: as URLs that it
 * can fetch, or as bytes.
 */
export interface UpstreamFiles {
  /**
   * Returns a URL from which the upstream can fetch a file. Null if there is none. The driver must
   * then send the bytes.
   */
  publicUrl(source: string): Promise<string | null>
  /**
   * Reads an image. Throws a `DriverRefusal` that names the parameter if the file cannot be read or
   * is not an image.
   */
  bytes(image: string, position: string, signal: AbortSignal): Promise<ImageBytes>
  /**
   * Returns a mask as a PNG of the size of its image, with an alpha of 0 where the image may
   * change. Throws a `DriverRefusal` if the mask does not fit the image.
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

/** Contents of a video or audio file of a job. */
export interface MediaBytes {
  bytes: Buffer
  contentType: MediaType
}

export interface ImageBytes {
  bytes: Buffer
  contentType: ImageType
}

/** Source of the files that jobs name as `asset:ID`. */
export interface AssetSource {
  /** Returns the size of an asset in bytes. Undefined if the asset does not exist. */
  sizeOf(assetId: string): Promise<number | undefined>
  /** Reads an asset. Undefined if the asset does not exist. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /**
   * Returns the URL of an asset. Null if the asset does not exist, or if upstreams cannot reach
   * this service.
   */
  publicUrl(assetId: string): Promise<string | null>
}

export interface UpstreamFilesDependencies {
  fetchUntrusted: FetchUntrusted
  decodeImageFile: DecodeImageFile
  /** Undefined if the service does not support assets. */
  assets?: AssetSource
}

const imageBytesMax = 20 * 1024 * 1024
const imageFetchTimeoutMs = 30_000
const mediaFetchTimeoutMs = 120_000

export function createUpstreamFiles({ fetchUntrusted, decodeImageFile, assets }: UpstreamFilesDependencies): UpstreamFiles {
  async function readSource(source: string, position: string, { signal, bytesMax, timeoutMs }: ReadLimits): Promise<Buffer> {
    const assetId = assetIdIn(source)
    if (assetId !== undefined) {
      if (((await assets?.sizeOf(assetId)) ?? 0) > bytesMax) throw tooLarge(position, bytesMax)
      const file = await assets?.readFile(assetId)
      if (file === undefined) throw new DriverRefusal('invalid_input', `${position}: this asset was removed; upload it again.`)
      return file
    }
    if (isDataUri(source)) {
      const bytes = bytesOfDataUri(source, bytesMax)
      if (Buffer.isBuffer(bytes)) return bytes
      throw new DriverRefusal('invalid_input', `${position}: ${bytes.error}.`)
    }
    try {
      return await buffer((await fetchUntrusted(source, { bytesMax, timeoutMs, signal })).stream)
    } catch (cause) {
      if (!(cause instanceof UntrustedFetchError)) throw cause
      throw new DriverRefusal('invalid_input', `${position}: ${cause.message}.`, { cause })
    }
  }

  return {
    async publicUrl(source) {
      const assetId = assetIdIn(source)
      if (assetId !== undefined) return (await assets?.publicUrl(assetId)) ?? null
      return isDataUri(source) ? null : source
    },
    async bytes(image, position, signal) {
      const bytes = await readSource(image, position, { signal, bytesMax: imageBytesMax, timeoutMs: imageFetchTimeoutMs })
      const contentType = imageTypeOf(bytes)
      if (contentType !== undefined) return { bytes, contentType }
      throw new DriverRefusal('invalid_input', `${position}: this is ${describeFormat(bytes)}; ${sendAnImage}.`)
    },
    async alphaMask({ mask, image, signal }) {
      const limits = { signal, bytesMax: imageBytesMax, timeoutMs: imageFetchTimeoutMs }
      const files = {
        mask: await readSource(mask.source, mask.position, limits),
        image: await readSource(image.source, image.position, limits),
      }
      const positions = { mask: mask.position, image: image.position }
      return { bytes: await alphaMask(decodeImageFile, { ...files, positions, signal }), contentType: 'image/png' }
    },
    async mediaBytes(source, position, signal) {
      const bytes = await readSource(source, position, { signal, bytesMax: fileBytesMax, timeoutMs: mediaFetchTimeoutMs })
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
 * if there is no URL that the upstream can fetch.
 */
export async function mediaUrl(files: UpstreamFiles, source: string, position: string): Promise<string> {
  const url = await files.publicUrl(source)
  if (url !== null) return url
  throw new NotAccepted('unsuitable', `${position} has no URL that the upstream can fetch; set FRAMEGATE_PUBLIC_URL`)
}

/** Like `mediaUrl`, but returns a data URI if there is no URL. */
export async function mediaUrlOrData(
  files: UpstreamFiles,
  source: string,
  position: string,
  signal: AbortSignal,
): Promise<string> {
  const url = await files.publicUrl(source)
  if (url !== null) return url
  const { bytes, contentType } = await files.mediaBytes(source, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

/**
 * Returns the URL of an image, or a data URI if there is none, for upstreams that accept both in
 * the same field.
 */
export async function urlOrDataUri(files: UpstreamFiles, image: string, position: string, signal: AbortSignal): Promise<string> {
  return (await files.publicUrl(image)) ?? (await dataUri(files, image, position, signal))
}

/**
 * Returns the URL of a parameter's file, or a data URI if there is none, for upstreams that accept
 * both in the same field.
 */
export function fileUrlOrData(
  files: UpstreamFiles,
  source: string,
  { name, position, signal }: { name: MediaParameter; position: string; signal: AbortSignal },
): Promise<string> {
  const send = mediaParameters[name] === 'image' ? urlOrDataUri : mediaUrlOrData
  return send(files, source, position, signal)
}

async function dataUri(files: UpstreamFiles, image: string, position: string, signal: AbortSignal): Promise<string> {
  const { bytes, contentType } = await files.bytes(image, position, signal)
  return `data:${contentType};base64,${bytes.toString('base64')}`
}

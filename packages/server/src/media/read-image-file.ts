import { buffer } from 'node:stream/consumers'
import { assetIdIn } from '../identity/asset-id.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'
import { bytesOfDataUri, isDataUri } from './data-uri.ts'
import { defaultImageLimits, type ImageLimits } from './image-limits.ts'
import { InvalidImage } from './invalid-image.ts'
import { imageAcceptHeader } from '../lib/image-type.ts'

/**
 * Reads the file of an image parameter, byte for byte: fetches a URL with the guarded fetch,
 * decodes a data URI, or reads a stored asset. The decoder later checks whether the file is an
 * image.
 */
export type ReadImageFile = (source: string, options: ReadImageFileOptions) => Promise<Buffer>

export interface ReadImageFileOptions {
  signal: AbortSignal
  /**
   * Position of the image in the parameters, for error messages: `first_frame`,
   * `reference_images/2`.
   */
  position: string
}

/** Reads the file of an asset. Undefined: the asset does not exist. */
export type ReadAssetFile = (assetId: string) => Promise<Buffer | undefined>

export interface ReadImageFileDependencies {
  fetchUntrusted: FetchUntrusted
  /** Omitted if the service has no assets. */
  readAssetFile?: ReadAssetFile
  limits?: Pick<ImageLimits, 'bytesMax' | 'fetchTimeoutMs'>
}

export function createReadImageFile(dependencies: ReadImageFileDependencies): ReadImageFile {
  const { fetchUntrusted, readAssetFile, limits = defaultImageLimits } = dependencies
  const { bytesMax, fetchTimeoutMs: timeoutMs } = limits

  return async function readImageFile(source, options) {
    const assetId = assetIdIn(source)
    if (assetId !== undefined) return await readAsset(assetId, options)
    return isDataUri(source) ? unpackDataUri(source, options) : await fetchFile(source, options)
  }

  async function readAsset(assetId: string, { position }: ReadImageFileOptions): Promise<Buffer> {
    const file = await readAssetFile?.(assetId)
    if (file === undefined) throw new InvalidImage('unreachable', position, 'this asset has been removed; upload it again')
    return file
  }

  function unpackDataUri(source: string, { position }: ReadImageFileOptions): Buffer {
    const bytes = bytesOfDataUri(source, bytesMax)
    if (Buffer.isBuffer(bytes)) return bytes
    throw new InvalidImage('damaged', position, `${bytes.error}; send a data URI of the form data:image/png;base64,<data>`)
  }

  async function fetchFile(source: string, { position, signal }: ReadImageFileOptions): Promise<Buffer> {
    try {
      return await buffer((await fetchUntrusted(source, { bytesMax, timeoutMs, accept: imageAcceptHeader, signal })).stream)
    } catch (cause) {
      throw cause instanceof UntrustedFetchError ? toInvalidImage(cause, position) : cause
    }
  }
}

function toInvalidImage(cause: UntrustedFetchError, position: string): InvalidImage {
  const code = cause.reason === 'too_large' ? 'too_large' : 'unreachable'
  const sentence = `${cause.message}; send the public http or https address of an image, or a data URI`
  return new InvalidImage(code, position, sentence, { cause, isTransient: cause.isTransient })
}

import type { Asset } from './asset.ts'
import type { RequestOptions } from './call-options.ts'
import type { ErrorCode } from './error-codes.ts'
import { FramegateError, notFromService } from './framegate-error.ts'
import { loadBlob } from './load-blob.ts'
import { isRetryable, withRetries } from './retry.ts'
import type { Transport } from './transport.ts'

/** An asset that is uploaded in several requests. */
export interface ResumableUpload {
  id: string
  object: 'asset_upload'
  /** Unix seconds. */
  created: number
  name: string | null
  /** Size of the complete file. */
  size_bytes: number
  /** Number of stored bytes. The upload continues at this offset. */
  received_bytes: number
  /** SHA-256 of the complete file as declared by the client; null if it was not declared. */
  sha256: string | null
  /** Time at which the upload is removed, Unix seconds. */
  expires_at: number
  /** The asset; null until all bytes have arrived. */
  asset: Asset | null
  /** The reason why the file was rejected; null if it was not. */
  error: { code: ErrorCode; message: string; param: string | null } | null
}

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export interface AssetCreateOptions extends RequestOptions {
  /**
   * Size in bytes above which a file is sent in several requests, so that the upload can resume
   * after a lost connection. Default: 16 MiB.
   */
  resumableAboveBytes?: number | undefined
  /** Id of an unfinished upload of the same file to resume. Default: a new upload. */
  upload?: string | undefined
  /**
   * Called when an upload has been created. Store its id to resume the upload in another run of
   * your program. Default: none.
   */
  onUpload?: ((upload: ResumableUpload) => void) | undefined
  /**
   * Called before the first part and after each part of a file that is sent in several requests.
   * Default: none.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

const path = '/v2/assets/uploads'
const partBytes = 4 * 1024 * 1024
const tusHeaders = { 'Tus-Resumable': '1.0.0' }

/**
 * Sends a file in parts. After a failure, queries the offset from the service and resumes there.
 * The retry count restarts after each stored part.
 */
export async function uploadInParts(
  transport: Transport,
  file: Blob,
  metadata: Record<string, string | undefined>,
  { upload: unfinishedId, onUpload, onProgress, ...options }: AssetCreateOptions,
): Promise<Asset> {
  const upload = unfinishedId === undefined ? await create() : await fetchUpload(unfinishedId)
  if (upload.size_bytes !== file.size) {
    throw new FramegateError({
      code: 'invalid_option',
      param: 'upload',
      message: `The upload ${upload.id} has ${upload.size_bytes} bytes, this file ${file.size}.`,
    })
  }
  for (let received = offsetOf(upload, 0); ;) {
    onProgress?.({ sentBytes: received, totalBytes: file.size })
    if (received === file.size) break
    received = await sendPart(received)
  }
  const { asset } = await fetchUpload(upload.id)
  if (asset === null) throw notFromService()
  return asset

  async function create(): Promise<ResumableUpload> {
    const headers = { ...tusHeaders, 'Upload-Length': String(file.size), ...metadataHeader(metadata) }
    const { body } = await transport.call<ResumableUpload>({ method: 'POST', path, headers }, options)
    onUpload?.(body)
    return body
  }

  async function fetchUpload(id: string, { maxRetries }: Pick<RequestOptions, 'maxRetries'> = options): Promise<ResumableUpload> {
    const call = { method: 'GET', path: `${path}/${encodeURIComponent(id)}` } as const
    const { body } = await transport.call<ResumableUpload>(call, { ...options, maxRetries })
    if (body.error !== null) throw new FramegateError(body.error)
    return body
  }

  /**
   * Returns the offset at which the upload continues. Throws an error if the offset is before
   * `start` or after the end of the file, because the upload might then never end.
   */
  function offsetOf({ received_bytes }: ResumableUpload, start: number): number {
    if (Number.isInteger(received_bytes) && received_bytes >= start && received_bytes <= file.size) return received_bytes
    throw notFromService()
  }

  /**
   * Sends the part that begins at `start`. Returns the next offset, which may be within the part
   * after a failure.
   */
  async function sendPart(start: number): Promise<number> {
    let isOffsetKnown = true
    return withRetries(
      async () => {
        if (!isOffsetKnown) {
          const received = offsetOf(await fetchUpload(upload.id, { maxRetries: 0 }), start)
          if (received !== start) return received
        }
        isOffsetKnown = false
        const body = await loadBlob(file.slice(start, start + partBytes))
        const headers = { ...tusHeaders, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) }
        await transport.call(
          { method: 'PATCH', path: `${path}/${upload.id}`, headers, body, mayBeEmpty: true },
          { ...options, maxRetries: 0 },
        )
        return start + body.size
      },
      { ...options, maxRetries: options.maxRetries ?? transport.maxRetries, shouldRetry: canContinue },
    )
  }
}

/**
 * Whether the upload can continue. A `conflict` means that the service has stored bytes of a
 * request whose response was lost.
 */
function canContinue(error: unknown): error is FramegateError {
  return isRetryable(error) || (error instanceof FramegateError && error.code === 'conflict')
}

function metadataHeader(metadata: Record<string, string | undefined>): Record<string, string> {
  const pairs = Object.entries(metadata).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]))
  return pairs.length === 0 ? {} : { 'Upload-Metadata': pairs.join(',') }
}

/** Encodes a string as base64 of its UTF-8 bytes. `btoa` alone only accepts Latin-1 characters. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

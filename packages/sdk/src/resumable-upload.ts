import type { Asset } from './asset.ts'
import type { RequestOptions } from './call-options.ts'
import type { ErrorCode } from './error-codes.ts'
import { FramegateError } from './framegate-error.ts'
import { isWorthRepeating, withRetries } from './retry.ts'
import type { Transport } from './transport.ts'

/** An asset that is uploaded in several requests. */
export interface ResumableUpload {
  id: string
  object: 'asset_upload'
  /** Unix seconds. */
  created: number
  name: string | null
  /** Size of the whole file. */
  size_bytes: number
  /** The upload continues here. */
  received_bytes: number
  /** The announced hash of the whole file. */
  sha256: string | null
  /** Until then the upload can be continued, Unix seconds. */
  expires_at: number
  /** Once all bytes have arrived. */
  asset: Asset | null
  /** Why the file was refused. */
  error: { code: ErrorCode; message: string; param: string | null } | null
}

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
}

export interface AssetCreateOptions extends RequestOptions {
  /**
   * Larger files are sent in several requests, and continue after a lost connection.
   * Default: 16 MiB.
   */
  resumableAboveBytes?: number | undefined
  /** Id of an upload of the same file that an earlier program began. Default: a new upload. */
  upload?: string | undefined
  /** Called with a new upload. Store its id to continue it after the end of the program. Default: none. */
  onUpload?: ((upload: ResumableUpload) => void) | undefined
  /** Called after each part of a file that is sent in several requests. Default: none. */
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

const path = '/v2/assets/uploads'
const partBytes = 4 * 1024 * 1024
const tus = { 'Tus-Resumable': '1.0.0' }

/**
 * Sends a file in parts. After a failure it asks the service how much has arrived, and continues
 * there. Retries count anew whenever something has arrived.
 */
export async function uploadInParts(
  transport: Transport,
  file: Blob,
  metadata: Record<string, string | undefined>,
  { upload: earlier, onUpload, onProgress, ...options }: AssetCreateOptions,
): Promise<Asset> {
  const upload = earlier === undefined ? await create() : await read(earlier)
  if (upload.size_bytes !== file.size) {
    throw new FramegateError({
      code: 'invalid_option',
      param: 'upload',
      message: `The upload ${upload.id} is of a file of ${upload.size_bytes} bytes; this file has ${file.size}.`,
    })
  }
  for (let received = upload.received_bytes; ;) {
    onProgress?.({ sentBytes: received, totalBytes: file.size })
    if (received === file.size) break
    received = await sendPart(received)
  }
  const { asset } = await read(upload.id)
  if (asset !== null) return asset
  throw new FramegateError({ code: 'unexpected_answer', message: `The upload ${upload.id} is complete, and has no asset.` })

  async function create(): Promise<ResumableUpload> {
    const headers = { ...tus, 'Upload-Length': String(file.size), ...metadataHeader(metadata) }
    const { body } = await transport.call<ResumableUpload>({ method: 'POST', path, headers }, options)
    onUpload?.(body)
    return body
  }

  async function read(id: string, { maxRetries }: Pick<RequestOptions, 'maxRetries'> = options): Promise<ResumableUpload> {
    const call = { method: 'GET', path: `${path}/${encodeURIComponent(id)}` } as const
    const { body } = await transport.call<ResumableUpload>(call, { ...options, maxRetries })
    if (body.error !== null) throw new FramegateError(body.error)
    return body
  }

  /** Returns how much has arrived: the part, or after a failure some of it. */
  async function sendPart(start: number): Promise<number> {
    let isKnown = true
    return withRetries(
      async () => {
        if (!isKnown) {
          const { received_bytes } = await read(upload.id, { maxRetries: 0 })
          if (received_bytes !== start) return received_bytes
        }
        isKnown = false
        const body = file.slice(start, start + partBytes)
        const headers = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) }
        await transport.call({ method: 'PATCH', path: `${path}/${upload.id}`, headers, body }, { ...options, maxRetries: 0 })
        return start + body.size
      },
      { ...options, maxRetries: options.maxRetries ?? transport.maxRetries, isWorth: isWorthContinuing },
    )
  }
}

/** Also when the service has stored bytes of a request whose response was lost. */
function isWorthContinuing(error: unknown): error is FramegateError {
  return isWorthRepeating(error) || (error instanceof FramegateError && error.code === 'conflict')
}

function metadataHeader(metadata: Record<string, string | undefined>): Record<string, string> {
  const pairs = Object.entries(metadata).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]))
  return pairs.length === 0 ? {} : { 'Upload-Metadata': pairs.join(',') }
}

/** UTF-8 in base64: `btoa` takes one byte for each character. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

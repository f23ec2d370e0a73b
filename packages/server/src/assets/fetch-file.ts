import { Readable } from 'node:stream'
import { AppError } from '../lib/app-error.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'
import { bytesOfDataUri, isDataUri } from '../media/data-uri.ts'
import { acceptMedia } from '../lib/media-type.ts'

export interface FetchFileOptions {
  bytesMax: number
  timeoutMs: number
  /** The request field with the reference, for error messages. */
  param?: string
  signal: AbortSignal
}

/**
 * Opens a file that a request refers to by URL or data URI. A problem of the source is thrown as an
 * `AppError`, also while the stream is read.
 */
export async function fetchFile(fetchUntrusted: FetchUntrusted, source: string, options: FetchFileOptions): Promise<Readable> {
  const { param = 'url' } = options
  if (isDataUri(source)) {
    const bytes = bytesOfDataUri(source, options.bytesMax)
    if (Buffer.isBuffer(bytes)) return Readable.from([bytes], { objectMode: false })
    throw new AppError(
      'invalid_parameter',
      `${param}: ${bytes.error}; send a data URI of the form data:image/png;base64,<data>`,
      {
        param,
      },
    )
  }
  try {
    const { stream } = await fetchUntrusted(source, { ...options, accept: acceptMedia })
    return Readable.from(explainErrors(stream, param), { objectMode: false })
  } catch (cause) {
    throw toAppError(cause, param)
  }
}

async function* explainErrors(stream: Readable, param: string): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (cause) {
    throw toAppError(cause, param)
  }
}

function toAppError(cause: unknown, param: string): unknown {
  if (!(cause instanceof UntrustedFetchError)) return cause
  const { reason, message } = cause
  const code = reason === 'invalid_url' || reason === 'too_large' ? 'invalid_parameter' : 'reference_unreachable'
  const explanation = `${param}: ${message}; send the public http or https address of an image, a video or sound, or the file itself`
  return new AppError(code, explanation, { param, cause })
}

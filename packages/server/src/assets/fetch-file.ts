import { Readable } from 'node:stream'
import { AppError } from '../lib/app-error.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchRefusal } from '../lib/guarded-fetch/untrusted-fetch-refusal.ts'
import { bytesOfDataUri, isDataUri } from '../media/data-uri.ts'
import { acceptMedia } from '../lib/media-type.ts'

export interface FetchFileOptions {
  bytesMax: number
  timeoutMs: number
  signal: AbortSignal
}

/**
 * The file that a client referred to instead of sending it. The stream also fails with an AppError.
 */
export async function fetchFile(fetchUntrusted: FetchUntrusted, source: string, options: FetchFileOptions): Promise<Readable> {
  if (isDataUri(source)) {
    const bytes = bytesOfDataUri(source, options.bytesMax)
    if (Buffer.isBuffer(bytes)) return Readable.from([bytes], { objectMode: false })
    throw new AppError('invalid_parameter', `url: ${bytes.error}; send data:image/png;base64, followed by the encoded image`, {
      param: 'url',
    })
  }
  try {
    const { stream } = await fetchUntrusted(source, { ...options, accept: acceptMedia })
    return Readable.from(explained(stream), { objectMode: false })
  } catch (cause) {
    throw explain(cause)
  }
}

async function* explained(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (cause) {
    throw explain(cause)
  }
}

function explain(cause: unknown): unknown {
  if (!(cause instanceof UntrustedFetchRefusal)) return cause
  const { reason, message } = cause
  const code = reason === 'invalid_url' || reason === 'too_large' ? 'invalid_parameter' : 'reference_unreachable'
  const sentence = `url: ${message}; send the public http or https address of an image, a video or sound, or the file itself`
  return new AppError(code, sentence, { param: 'url', cause })
}

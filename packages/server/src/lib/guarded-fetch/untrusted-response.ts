import type { Dispatcher } from 'undici'
import { UntrustedFetchError } from './untrusted-fetch-error.ts'

type ResponseHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Returns the target of a redirect. Undefined: the response is not a redirect. */
export function redirectTarget(response: ResponseHead): string | undefined {
  if (!redirectStatuses.has(response.statusCode)) return undefined
  const location = headerOf(response, 'location')
  if (location === undefined) {
    throw new UntrustedFetchError(
      'bad_response',
      `the server responded with status ${response.statusCode} without a Location header`,
    )
  }
  return location
}

/** Throws an error unless the response is 200, uncompressed, and not known to be too large. */
export function requireAcceptableResponse(response: ResponseHead, bytesMax: number): void {
  if (response.statusCode !== 200) {
    const reason = response.statusCode === 404 || response.statusCode === 410 ? 'not_found' : 'bad_response'
    throw new UntrustedFetchError(reason, `the server responded with status ${response.statusCode} instead of 200`, {
      status: response.statusCode,
    })
  }
  const encoding = headerOf(response, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  // Compressed responses are rejected, because a few kilobytes could expand to gigabytes. Media
  // files are already compressed.
  if (encoding !== 'identity' && encoding !== '') {
    throw new UntrustedFetchError('bad_response', 'the server sent a compressed response, although none was requested')
  }
  if (Number(headerOf(response, 'content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** The content type in lower case, without parameters. Null: the server sends none. */
export function contentTypeOf(response: ResponseHead): string | null {
  return headerOf(response, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? null
}

/**
 * Yields the chunks of a body. If reading fails or the body exceeds `bytesMax`, throws the error
 * that `toError` returns.
 */
export async function* limitBody(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  toError: (cause: unknown) => unknown,
): AsyncGenerator<Buffer> {
  let receivedBytes = 0
  try {
    for await (const chunk of body) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > bytesMax) throw tooLarge(bytesMax)
      yield chunk
    }
  } catch (cause) {
    throw toError(cause)
  }
}

function tooLarge(bytesMax: number): UntrustedFetchError {
  return new UntrustedFetchError('too_large', `the file at the address is larger than the ${bytesMax} bytes allowed`)
}

function headerOf(response: ResponseHead, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

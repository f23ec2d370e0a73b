import type { Dispatcher } from 'undici'
import { UntrustedFetchRefusal } from './untrusted-fetch-refusal.ts'

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** The target of a redirect; undefined for any other response. */
export function redirectOf(answer: Answer): string | undefined {
  if (!redirectStatuses.has(answer.statusCode)) return undefined
  const location = header(answer, 'location')
  if (location === undefined) {
    throw new UntrustedFetchRefusal(
      'bad_answer',
      `the address responds with status ${answer.statusCode} without a Location header`,
    )
  }
  return location
}

export function requireUsable(answer: Answer, bytesMax: number): void {
  if (answer.statusCode !== 200) {
    throw new UntrustedFetchRefusal('bad_answer', `the address responds with status ${answer.statusCode} instead of 200`)
  }
  const encoding = header(answer, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  // A few kilobytes could expand to gigabytes; media is already compressed.
  if (encoding !== 'identity' && encoding !== '') {
    throw new UntrustedFetchRefusal(
      'bad_answer',
      'the response of the address is compressed, although no compression was requested',
    )
  }
  if (Number(header(answer, 'content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** The content type in lower case, without parameters; null when the server sends none. */
export function contentTypeOf(answer: Answer): string | null {
  return header(answer, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? null
}

export async function* boundedBody(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  refusalOf: (cause: unknown) => unknown,
): AsyncGenerator<Buffer> {
  let receivedBytes = 0
  try {
    for await (const chunk of body) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > bytesMax) throw tooLarge(bytesMax)
      yield chunk
    }
  } catch (cause) {
    throw refusalOf(cause)
  }
}

function tooLarge(bytesMax: number): UntrustedFetchRefusal {
  return new UntrustedFetchRefusal('too_large', `the file at the address is larger than the ${bytesMax} bytes allowed`)
}

function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

import { webhookResponseBytesMax } from '@framegate/contract'
import { signatureHeaders } from '@framegate/contract/webhook-signature'
import type { Clock } from '../lib/clock.ts'
import type { GuardedChannel, PostResponse } from '../lib/guarded-fetch/guarded-channel.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'

export interface OutgoingRequest {
  url: string
  secrets: readonly string[]
  eventId: string
  body: string
  timeoutMs: number
  signal: AbortSignal
}

export interface SendOutcome {
  atMs: number
  durationMs: number
  /** Null: no response arrived. */
  statusCode: number | null
  /** Null: the receiver accepted the event. */
  error: string | null
  responseBody: string | null
  retryAfter: string | undefined
}

/**
 * Sends an event once. A status from 200 to 299 is a success. Also resolves if the receiver fails
 * or does not respond. Rejects if the signal aborts or after an internal error.
 */
export async function sendDelivery(channel: GuardedChannel, request: OutgoingRequest, clock: Clock): Promise<SendOutcome> {
  const { url, secrets, eventId, body, timeoutMs, signal } = request
  const atMs = clock()
  const startedAtMs = performance.now()
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...signatureHeaders(secrets, { id: eventId, timestamp: Math.floor(atMs / 1000), body }),
  }
  const durationMs = (): number => Math.round(performance.now() - startedAtMs)
  try {
    const response = await channel.post(url, { body, headers, timeoutMs, bytesMax: webhookResponseBytesMax, signal })
    const { status } = response
    return {
      atMs,
      durationMs: durationMs(),
      statusCode: status,
      error: status >= 200 && status < 300 ? null : statusError(status),
      responseBody: textOf(response),
      retryAfter: status === 429 || status === 503 ? headerOf(response, 'retry-after') : undefined,
    }
  } catch (error) {
    if (!(error instanceof UntrustedFetchError)) throw error
    const noResponse = { statusCode: null, responseBody: null, retryAfter: undefined }
    return { atMs, durationMs: durationMs(), error: error.message, ...noResponse }
  }
}

function statusError(status: number): string {
  if (status >= 300 && status < 400) return `the address responded with the redirect ${status}, which is not followed`
  return `the address responded with status ${status} instead of one from 200 to 299`
}

/**
 * Returns the beginning of the response body, as text that all databases can store. Returns null if
 * the body is empty or compressed.
 */
function textOf(response: PostResponse): string | null {
  if (response.body.length === 0) return null
  const encoding = headerOf(response, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') return null
  return response.body.toString('utf8').replaceAll('\0', '\ufffd')
}

function headerOf({ headers }: PostResponse, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

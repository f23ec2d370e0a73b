import { attempt } from './attempt.ts'
import type { RequestOptions } from './call-options.ts'
import { FramegateError, notFromService } from './framegate-error.ts'
import { readObject } from './parse-object.ts'
import { readError, readRetryAfter } from './read-error.ts'
import { withRetries } from './retry.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path relative to the base URL. */
  path: string
  query?: Record<string, string | number | undefined>
  /** Request body. It is sent as JSON, unless it is a form or a blob. */
  body?: unknown
  headers?: Record<string, string>
  idempotencyKey?: string
  /** ETag of a known state. If the resource is unchanged, the result's body is null. */
  ifNoneMatch?: string | undefined
  /**
   * Maximum time in seconds for which the service may hold the response (long polling). Added to
   * the timeout.
   */
  longPollSeconds?: number
  /**
   * Whether the service may respond with 204. The result's body is then null. Default: false; a 204
   * then counts as the response of another server.
   */
  mayBeEmpty?: boolean
  /** If true, an abort ends delays between attempts, but not an attempt in flight. */
  isResponseAwaited?: boolean
}

export interface Result<T> {
  body: T
  etag: string | null
  retryAfterSeconds: number | null
}

/** Sends a client's requests with its API key, and retries failed ones if a retry may succeed. */
export interface Transport {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly timeoutSeconds: number
  readonly maxRetries: number
  call<T>(call: Call, options?: RequestOptions): Promise<Result<T>>
  /** Opens an event stream. Returns null if it has no more events. */
  openStream(
    call: Pick<Call, 'path' | 'query'>,
    options: { lastEventId: string | undefined; signal: AbortSignal },
  ): Promise<ReadableStream<Uint8Array> | null>
}

export interface TransportSettings {
  baseUrl: URL
  apiKey: string
  timeoutSeconds: number
  maxRetries: number
  fetch: Fetch
}

const defaultPath = '/api'
const eventStreamType = 'text/event-stream'

export function createTransport({ apiKey, fetch, timeoutSeconds, maxRetries, baseUrl }: TransportSettings): Transport {
  let path = baseUrl.pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  // For a URL without a path, the default prefix is tried first.
  const isPrefixGuessed = path === ''
  let currentAddress = baseUrl.origin + (isPrefixGuessed ? defaultPath : path)

  /**
   * Sends a request to the current address. If the service reports an unknown path there and the
   * prefix is a guess, tries without the prefix, and keeps that address if the request succeeds.
   */
  async function withDefaultPath<T>(request: (address: string) => Promise<T>): Promise<T> {
    const address = currentAddress
    try {
      return await request(address)
    } catch (error) {
      const mayHaveNoPrefix = isPrefixGuessed && address !== baseUrl.origin
      if (!mayHaveNoPrefix || !(error instanceof FramegateError) || error.code !== 'route_not_found') throw error
      const result = await request(baseUrl.origin)
      currentAddress = baseUrl.origin
      return result
    }
  }

  async function send<T>(address: string, call: Call, options: RequestOptions): Promise<Result<T>> {
    const attemptSeconds = (options.timeoutSeconds ?? timeoutSeconds) + (call.longPollSeconds ?? 0)
    const signal = call.isResponseAwaited ? undefined : options.signal
    const body = encodeBody(call.body)
    return attempt({ address, signal, timeoutSeconds: attemptSeconds }, async (signal) => {
      const response = await fetch(address + call.path + queryOf(call), {
        method: call.method,
        headers: headersOf(call, apiKey),
        // Redirects are not followed: they could turn a POST into a GET, and send the key to
        // another server.
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      })
      const isUnchanged = response.status === 304 && call.ifNoneMatch !== undefined
      if (!response.ok && !isUnchanged) throw await readError(response)
      return {
        body: isUnchanged || (call.mayBeEmpty && response.status === 204) ? (null as T) : ((await readObject(response)) as T),
        etag: response.headers.get('etag'),
        retryAfterSeconds: readRetryAfter(response.headers),
      }
    })
  }

  async function openStreamAt(
    address: string,
    { path: target, query }: Pick<Call, 'path' | 'query'>,
    { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
  ): Promise<ReadableStream<Uint8Array> | null> {
    const call: Call = { method: 'GET', path: target, ...(query && { query }) }
    const headers = {
      ...headersOf(call, apiKey),
      Accept: eventStreamType,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    }
    // The signal also aborts the stream, so it must not include an attempt's timeout.
    const response = await fetch(address + target + queryOf(call), { headers, redirect: 'manual', signal })
    if (response.status === 204) return null
    if (!response.ok) throw await readError(response)
    if (response.body !== null && response.headers.get('content-type')?.startsWith(eventStreamType)) return response.body
    throw notFromService(response)
  }

  return {
    openStream: (call, options) => withDefaultPath((address) => openStreamAt(address, call, options)),
    get baseUrl() {
      return currentAddress
    },
    fetch,
    timeoutSeconds,
    maxRetries,

    call<T>(call: Call, options: RequestOptions = {}): Promise<Result<T>> {
      const retryOptions = { ...options, maxRetries: options.maxRetries ?? maxRetries }
      return withDefaultPath((address) => withRetries(() => send<T>(address, call, options), retryOptions))
    },
  }
}

function headersOf({ body, headers, idempotencyKey, ifNoneMatch }: Call, apiKey: string): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && !isSentAsIs(body) && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    ...headers,
  }
}

function encodeBody(body: unknown): string | FormData | Blob | undefined {
  if (body === undefined || isSentAsIs(body)) return body
  try {
    return JSON.stringify(body)
  } catch (cause) {
    // Thrown for example for a BigInt or a circular object.
    const message = `The request cannot be sent as JSON (${String(cause).split('\n')[0]}).`
    throw new FramegateError({ code: 'invalid_option', param: 'body', message, cause })
  }
}

/**
 * Whether a body is not encoded as JSON. Tests for plain values first, because accessing `FormData`
 * makes Node load all of `fetch`.
 */
function isSentAsIs(body: unknown): body is FormData | Blob {
  return !isPlainValue(body) && (body instanceof Blob || body instanceof FormData)
}

function isPlainValue(body: unknown): boolean {
  return typeof body !== 'object' || body === null || [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(body))
}

function queryOf({ query = {} }: Call): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

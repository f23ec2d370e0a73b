import type { Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { limitBytes } from '../../lib/limit-bytes.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { isThrottled, retryAfterMsOf, UpstreamThrottled } from './retry-after.ts'
import { withoutCredential } from './without-credential.ts'
import { decodeBody, decodingStream } from './decode-body.ts'
import { Exchange } from './exchange.ts'
import { parseJson } from './parse-json.ts'
import { SubmitConnections, type SubmitConnection } from './submit-connections.ts'
import type { UpstreamExchange } from './upstream-exchange.ts'
import { UpstreamUnreachable } from './upstream-unreachable.ts'
import { Agent, buildConnector, request, type Dispatcher, type FormData } from 'undici'

/**
 * Sends a request to a provider at the base URL that the operator has configured. Returns responses
 * of any status. Redirects are not followed, so that the key is never sent to another host. Rejects
 * with the reason of an aborted signal, with the error of `beforeSend`, or with one of these
 * errors:
 *
 *   UpstreamUnreachable   nothing was sent, so the upstream certainly does not know the request
 *   ResponseLost          the request was sent, in part or completely, and no complete response
 *                         arrived; its effect is unknown
 *   UpstreamThrottled     only for a read: the response asks to retry later
 */
export type CallUpstream = (call: UpstreamCall) => Promise<UpstreamResponse>

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  /** Request body, which is sent as JSON. */
  json?: unknown
  form?: FormData
  signal: AbortSignal
  /** Whether the request has no side effects. Default: true for GET. Ignored with `beforeSend`. */
  isRead?: boolean
  /**
   * Called when a connection is open, before the timeout starts. The request is sent after the
   * promise resolves. If the promise rejects, nothing is sent, and the call rejects with the same
   * error.
   */
  beforeSend?: () => Promise<void>
  /**
   * Identifies the upstream and the API key. Requests with `beforeSend` and the same `slotKey`
   * share a limit of concurrent requests. Default: the origin of the URL.
   */
  slotKey?: string
  /** Timeout until the complete response has arrived. Default: one minute. */
  timeoutMs?: number
  /** Maximum size of the response body. Default: 4 MiB. Responses with images need more. */
  bytesMax?: number
}

export interface UpstreamResponse {
  status: number
  /** Header names are in lower case. For a repeated header, the last value wins. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The parsed body, which is not validated. Undefined if `parseJson` cannot parse the body. */
  json: unknown
}

class ResponseLost extends Error {
  override readonly name = 'ResponseLost'
}

/** Called after each exchange, including those without a response. */
export type OnExchange = (exchange: UpstreamExchange) => void

const timeoutMsDefault = 60_000
const bytesMaxDefault = 4 * 1024 * 1024
const connectTimeoutMs = 10_000
/** Idle timeout of a download. */
const downloadIdleTimeoutMs = 60_000
const connectionsPerOriginMax = 128
const connectTo = buildConnector({ timeout: connectTimeoutMs })
/**
 * Maximum number of submits in flight per `slotKey`. A response that contains an image may take
 * minutes.
 */
const concurrentSubmitsMax = 256

/**
 * Downloads a file that requires the API key, without following redirects. Returns a stream, which
 * fails if the download is interrupted or exceeds a limit.
 */
export type DownloadFromUpstream = (download: UpstreamDownload) => Promise<DownloadedFromUpstream>

export interface UpstreamDownload {
  url: string
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Timeout until the last byte has arrived. */
  timeoutMs: number
  bytesMax: number
}

export interface DownloadedFromUpstream {
  status: number
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** The file as a stream. Null unless the status is 200. */
  stream: Readable | null
}

/** Delays a request until its `beforeSend` has resolved. */
interface Gate {
  isWaiting: boolean
  /** The error of a rejected `beforeSend`. The request must then not be sent. */
  withheldBy: { cause: unknown } | null
  /** Starts the timeout of the request. */
  onOpened: () => void
}

export class UpstreamConnections implements AsyncDisposable {
  readonly #onExchange: OnExchange
  readonly #keepAliveAgent = new Agent({
    connect: { timeout: connectTimeoutMs },
    connections: connectionsPerOriginMax,
    pipelining: 1,
  })
  readonly #newConnectionAgent = new Agent({ connect: { timeout: connectTimeoutMs }, pipelining: 0 })
  readonly #submits = new SubmitConnections()
  /** Limits of concurrent submits, by `slotKey`. */
  readonly #submitSemaphores = new Map<string, Semaphore>()

  constructor(onExchange: OnExchange = () => {}) {
    this.#onExchange = onExchange
  }

  readonly call: CallUpstream = async (call) => {
    const { method, signal, beforeSend } = call
    signal.throwIfAborted()
    const target = new URL(call.url)
    if (beforeSend === undefined) {
      const { isRead = method === 'GET' } = call
      const response = await this.#send(call, {
        target,
        dispatcher: method === 'GET' ? this.#keepAliveAgent : this.#newConnectionAgent,
      })
      if (!isRead || !isThrottled(response)) return response
      throw new UpstreamThrottled(
        `the upstream asks the service to retry later (HTTP ${response.status})`,
        retryAfterMsOf(response),
      )
    }
    const { slotKey = target.origin } = call
    const semaphore = this.#submitSemaphores.get(slotKey) ?? new Semaphore(concurrentSubmitsMax)
    this.#submitSemaphores.set(slotKey, semaphore)
    if (!(await semaphore.acquire(signal))) throw signal.reason
    try {
      signal.throwIfAborted()
      return await this.#submit(call, target, beforeSend)
    } finally {
      semaphore.release()
    }
  }

  /**
   * Calls `beforeSend` only when a connection is open, so that the request can be sent immediately
   * afterwards.
   */
  async #submit(call: UpstreamCall, target: URL, beforeSend: () => Promise<void>): Promise<UpstreamResponse> {
    const reusedConnection = this.#submits.acquire(target.origin)
    if (reusedConnection === undefined) return this.#submitOverNew(call, target, beforeSend)
    try {
      await beforeSend()
      call.signal.throwIfAborted()
    } catch (cause) {
      this.#submits.releaseUnsent(reusedConnection)
      throw cause
    }
    if (!this.#submits.isReusable(reusedConnection)) {
      this.#submits.close(reusedConnection)
      return this.#submitOverNew(call, target, async () => {})
    }
    try {
      return await this.#submitOver(reusedConnection, call, target)
    } catch (error) {
      // The connection was closed during `beforeSend`, and nothing was sent.
      if (error instanceof UpstreamUnreachable) return await this.#submitOverNew(call, target, async () => {})
      throw error
    }
  }

  #submitOverNew(call: UpstreamCall, target: URL, beforeSend: () => Promise<void>): Promise<UpstreamResponse> {
    const gate: Gate = { isWaiting: false, withheldBy: null, onOpened: () => {} }
    const connection = this.#submits.open(target.origin, (options, callback) => {
      connectTo(options, (error, socket) => {
        if (error === null) void passGate(gate, beforeSend, call.signal, socket, callback)
        else callback(error, null)
      })
    })
    return this.#submitOver(connection, call, target, gate)
  }

  async #submitOver(connection: SubmitConnection, call: UpstreamCall, target: URL, gate?: Gate): Promise<UpstreamResponse> {
    try {
      const response = await this.#send(call, { target, dispatcher: connection.client, gate })
      this.#submits.release(connection)
      return response
    } catch (error) {
      this.#submits.close(connection)
      throw error
    }
  }

  async #send(
    { method, url, headers = {}, json, form, signal, ...limits }: UpstreamCall,
    { target, dispatcher, gate }: { target: URL; dispatcher: Dispatcher; gate?: Gate | undefined },
  ): Promise<UpstreamResponse> {
    const { timeoutMs = timeoutMsDefault, bytesMax = bytesMaxDefault } = limits
    const exchange = new Exchange(bytesMax)
    const abort = (): void => exchange.abort(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    let isTimedOut = false
    const timeout = setTimeout(() => {
      if (gate?.isWaiting === true) return
      isTimedOut = true
      exchange.abort(new Error('the request timed out'))
    }, timeoutMs)
    if (gate !== undefined) gate.onOpened = () => void timeout.refresh()
    const startedAtMs = Date.now()
    const report = (status: number | null): void => {
      const [urlWithoutQuery = ''] = url.split('?', 1)
      this.#onExchange({ method, url: urlWithoutQuery, startedAtMs, endedAtMs: Date.now(), status })
    }
    try {
      const requestHeaders = {
        'user-agent': 'Framegate',
        'accept-encoding': 'identity',
        ...headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      }
      const receivedResponse = await exchange.send(
        {
          method,
          target,
          headers: requestHeaders,
          body: json === undefined ? (form ?? null) : Buffer.from(JSON.stringify(json)),
        },
        dispatcher,
      )
      report(receivedResponse.status)
      const responseHeaders = flattenHeaders(receivedResponse.headers)
      const decodedBody = await decodeBody(receivedResponse.body, responseHeaders['content-encoding'], bytesMax)
      const body = withoutCredential(decodedBody, headers)
      return { status: receivedResponse.status, headers: responseHeaders, body, json: parseJson(body) }
    } catch (cause) {
      if (gate?.withheldBy) throw gate.withheldBy.cause
      if (signal.aborted) throw signal.reason
      if (!exchange.isStarted) throw toUnreachable(cause)
      report(null)
      throw responseLost(cause, isTimedOut)
    } finally {
      clearTimeout(timeout)
      signal.removeEventListener('abort', abort)
    }
  }

  readonly download: DownloadFromUpstream = async ({ url, headers, signal, timeoutMs, bytesMax }) => {
    const response = await request(url, {
      method: 'GET',
      headers: { 'user-agent': 'Framegate', 'accept-encoding': 'identity', ...headers },
      dispatcher: this.#newConnectionAgent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headersTimeout: downloadIdleTimeoutMs,
      bodyTimeout: downloadIdleTimeoutMs,
    })
    const statusAndHeaders = { status: response.statusCode, headers: flattenHeaders(response.headers) }
    if (response.statusCode !== 200) {
      // The connection is not reused, so the body, which may arrive slowly, is not read. Closing it
      // is reported as an error.
      response.body.on('error', () => {}).destroy()
      return { ...statusAndHeaders, stream: null }
    }
    const decoder = decodingStream(statusAndHeaders.headers['content-encoding'])
    // An error on one of the streams destroys all of them.
    const decodedBody = decoder === undefined ? response.body : pipeline(response.body, decoder, () => {})
    return { ...statusAndHeaders, stream: pipeline(decodedBody, limitBytes(bytesMax), () => {}) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#keepAliveAgent.destroy(), this.#newConnectionAgent.destroy(), this.#submits[Symbol.asyncDispose]()])
  }
}

async function passGate(
  gate: Gate,
  beforeSend: () => Promise<void>,
  signal: AbortSignal,
  socket: Socket,
  callback: buildConnector.Callback,
): Promise<void> {
  gate.isWaiting = true
  try {
    await beforeSend()
    signal.throwIfAborted()
    if (socket.destroyed) throw toUnreachable(socket.errored)
  } catch (cause) {
    gate.withheldBy = { cause }
    socket.destroy()
    callback(new Error('the request was withheld', { cause }), null)
    return
  } finally {
    gate.isWaiting = false
  }
  gate.onOpened()
  callback(null, socket)
}

export function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? (value.at(-1) ?? '') : (value ?? '')]),
  )
}

// Codes of errors that occur before a connection is established. After any other error, it is
// unknown how much of the request was sent.
const unsentErrorCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Returns the error for a request that received no response headers. */
export function toUpstreamError(cause: unknown): Error {
  return unsentErrorCodes.has(codeOf(cause)) ? toUnreachable(cause) : responseLost(cause, false)
}

function responseLost(cause: unknown, isTimedOut: boolean): ResponseLost {
  if (isTimedOut) return new ResponseLost('no response arrived in time', { cause })
  const code = codeOf(cause)
  return new ResponseLost(`the connection broke before the response was complete${code === '' ? '' : ` (${code})`}`, { cause })
}

function toUnreachable(cause: unknown): UpstreamUnreachable {
  const code = codeOf(cause)
  return new UpstreamUnreachable(`no connection could be made${code === '' ? '' : ` (${code})`}`, { cause })
}

function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError) return codeOf(cause.errors[0])
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

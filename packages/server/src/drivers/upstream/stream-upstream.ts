import { Agent } from 'undici'
import type { ResponseBody } from '../forwarding.ts'
import { toUpstreamError, flattenHeaders, type OnExchange } from './call-upstream.ts'
import { decodeStreamedBody } from './decode-body.ts'
import { StreamedExchange } from './streamed-exchange.ts'

/**
 * Sends JSON to a provider and returns its response as soon as the headers have arrived. Callers
 * must only send requests that can be repeated, because idle connections are reused and the server
 * may close one during a request. Throws `UpstreamUnreachable` if no connection could be made.
 * Throws `ResponseLost` after any other error or if the signal aborts.
 */
export type StreamFromUpstream = (call: UpstreamStreamCall) => Promise<UpstreamStream>

export interface UpstreamStreamCall {
  url: string
  headers: Readonly<Record<string, string>>
  json: unknown
  /** Aborts the request and its response. */
  signal: AbortSignal
}

export interface UpstreamStream {
  status: number
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>
  body: ResponseBody
}

const connectTimeoutMs = 10_000
/** Idle timeout of the response body. */
const bodyIdleTimeoutMs = 120_000
/** Time after which an idle connection is closed, usually before the server closes it. */
const keepAliveMs = 4_000

export class StreamingConnections implements AsyncDisposable {
  readonly #onExchange: OnExchange
  readonly #agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // The caller sets a timeout for the response headers.
    headersTimeout: 0,
    bodyTimeout: bodyIdleTimeoutMs,
  })

  constructor(onExchange: OnExchange = () => {}) {
    this.#onExchange = onExchange
  }

  readonly stream: StreamFromUpstream = async ({ url, headers, json, signal }) => {
    const startedAtMs = Date.now()
    const [urlWithoutQuery = ''] = url.split('?', 1)
    const report = (status: number | null): void => {
      this.#onExchange({ method: 'POST', url: urlWithoutQuery, startedAtMs, endedAtMs: Date.now(), status })
    }
    try {
      const request = {
        method: 'POST',
        target: new URL(url),
        headers: { 'user-agent': 'Framegate', 'accept-encoding': 'identity', ...headers, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(json)),
      } as const
      const response = await new StreamedExchange(signal).send(request, this.#agent)
      // The reported exchange ends with the headers, before the body.
      report(response.status)
      const responseHeaders = flattenHeaders(response.headers)
      const body = decodeStreamedBody(response.body, responseHeaders['content-encoding'])
      return { status: response.status, headers: responseHeaders, body }
    } catch (cause) {
      report(null)
      throw toUpstreamError(cause)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy()
  }
}

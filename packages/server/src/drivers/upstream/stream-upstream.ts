import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { explainLoss, plainHeaders, type OnExchange } from './call-upstream.ts'

/**
 * Sends JSON to a provider and returns its response as soon as the head has arrived. Unlike
 * `CallUpstream`, it uses connections that were kept open, so it is only for requests that may be sent
 * again. Throws `UpstreamUnreachable` and `ReplyLost` as `CallUpstream` does.
 */
export type StreamFromUpstream = (call: UpstreamStreamCall) => Promise<UpstreamStream>

export interface UpstreamStreamCall {
  url: string
  headers: Readonly<Record<string, string>>
  json: unknown
  /** Aborts the response too. */
  signal: AbortSignal
}

export interface UpstreamStream {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Readable
}

const connectMs = 10_000
/** Longest time without a byte of the body. */
const silenceMs = 120_000
/** Time after which an idle connection is closed. Servers close idle connections later. */
const keepAliveMs = 4_000

/** Connections for requests whose response is passed on as it arrives. */
export class UpstreamStreams implements AsyncDisposable {
  readonly #onExchange: OnExchange
  readonly #agent = new Agent({
    connect: { timeout: connectMs },
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // The caller limits the time until the response begins.
    headersTimeout: 0,
    bodyTimeout: silenceMs,
  })

  constructor(onExchange: OnExchange = () => {}) {
    this.#onExchange = onExchange
  }

  readonly stream: StreamFromUpstream = async ({ url, headers, json, signal }) => {
    const startedAtMs = Date.now()
    const [plainUrl = ''] = url.split('?', 1)
    const report = (status: number | null): void => {
      this.#onExchange({ method: 'POST', url: plainUrl, startedAtMs, endedAtMs: Date.now(), status })
    }
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'user-agent': 'Framegate', ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(json),
        dispatcher: this.#agent,
        signal,
      })
      report(response.statusCode)
      // An error event without a listener would end the process. Readers of the stream receive the
      // error too.
      response.body.on('error', () => {})
      return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.body }
    } catch (cause) {
      report(null)
      throw explainLoss(cause)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy()
  }
}

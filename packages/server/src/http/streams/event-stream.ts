import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { onDisconnect } from '../connections/on-disconnect.ts'
import { beginResponse } from '../responses/response-fields.ts'

export interface StreamedEvent {
  event: string
  id: string
  /** JSON text without line breaks. */
  data: string
}

/** Time after which a connection is closed if its client does not read the waiting bytes. */
const stallMsMax = 30_000
const reconnectMs = 5_000

/**
 * A response with server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). If the client does not read and
 * the connection's buffer is full, `send` waits, so further events are not buffered.
 */
export class EventStream {
  readonly #reply: FastifyReply
  #isClosed = false
  readonly #closeCallbacks = new Set<() => void>()
  /** Does nothing until the constructor sets it, because `#close` may be called before. */
  #stopWatching: () => void = () => undefined

  /** Takes over the response and sends the headers. */
  constructor(reply: FastifyReply) {
    this.#reply = reply
    reply.request.wasDelayedOnRequest = true
    reply.hijack()
    beginResponse(reply, 200, eventStreamHeaders)
    this.#stopWatching = onDisconnect(reply.request.raw.socket, () => this.#close())
    void this.#write(`retry: ${reconnectMs}\n\n`)
  }

  /** Whether the client has disconnected or the stream has ended. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Calls `callback` when the stream closes, or at once if it is closed. The returned function
   * removes the callback.
   */
  onClose(callback: () => void): () => void {
    if (this.#isClosed) callback()
    else this.#closeCallbacks.add(callback)
    return () => this.#closeCallbacks.delete(callback)
  }

  async send({ event, id, data }: StreamedEvent): Promise<void> {
    await this.#write(`event: ${event}\nid: ${id}\ndata: ${data}\n\n`)
  }

  /**
   * Sends the current position before the first event. A client that loses the connection resumes
   * from this position.
   */
  async sendPosition(id: string): Promise<void> {
    await this.#write(`id: ${id}\n\n`)
  }

  /** Sends a comment, so that proxies do not close a silent connection. */
  async sendHeartbeat(): Promise<void> {
    await this.#write(': \n\n')
  }

  /**
   * Ends the stream. The client waits longer before it reconnects, by a random time of up to
   * `spreadMs`, so that not all clients reconnect at the same time.
   */
  end(spreadMs = 0): void {
    if (this.#isClosed) return
    const text = spreadMs === 0 ? '' : `retry: ${reconnectMs + Math.round(Math.random() * spreadMs)}\n\n`
    this.#reply.raw.end(text)
    this.#close()
  }

  async #write(text: string): Promise<void> {
    const { raw } = this.#reply
    if (this.#isClosed || raw.write(text)) return
    const timer = setTimeout(() => raw.destroy(), stallMsMax)
    const closed = new Promise<void>((resolve) => void this.onClose(resolve))
    await Promise.race([once(raw, 'drain').catch(() => undefined), closed])
    clearTimeout(timer)
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopWatching()
    for (const callback of this.#closeCallbacks) callback()
    this.#closeCallbacks.clear()
  }
}

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

import type { FastifyReply } from 'fastify'
import { isBehindProxy } from '../connections/is-behind-proxy.ts'

/**
 * Time for which a connection is watched. A client that received only a part of the response closes
 * the connection earlier.
 */
const watchedMs = 1_000

/**
 * Calls `received` once the client has certainly received the response: the connection is still
 * open a second after the end of the response. Does nothing behind a proxy, which keeps its
 * connection open even if its client has disconnected.
 */
export function whenReceived({ raw, request }: FastifyReply, received: () => void): void {
  if (isBehindProxy(request)) return
  const { socket } = request.raw
  raw.once('finish', () => {
    setTimeout(() => {
      if (!socket.destroyed) received()
    }, watchedMs).unref()
  })
}

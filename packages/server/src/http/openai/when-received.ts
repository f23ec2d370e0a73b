import type { FastifyReply } from 'fastify'
import { isBehindProxy } from '../connections/is-behind-proxy.ts'

/**
 * Time for which a connection is watched. A client that does not receive the complete response
 * closes the connection earlier.
 */
const watchedMs = 1_000

/**
 * Calls `onReceived` if the connection is still open a second after the end of the response. The
 * response then counts as received. Does nothing behind a proxy, because a proxy may keep its
 * connection open after its client has disconnected.
 */
export function whenReceived({ raw, request }: FastifyReply, onReceived: () => void): void {
  if (isBehindProxy(request)) return
  const { socket } = request.raw
  raw.once('finish', () => {
    setTimeout(() => {
      if (!socket.destroyed) onReceived()
    }, watchedMs).unref()
  })
}

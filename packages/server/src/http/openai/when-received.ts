import type { FastifyReply } from 'fastify'
import { isBehindProxy } from '../connections/is-behind-proxy.ts'

/** Time for which a connection is watched. A client with a partial response closes it earlier. */
const watchedMs = 1_000

/**
 * Calls `received` when it is certain that the client has received the response. This is the case
 * if the connection is still open a second after the end of the response. Does nothing if a header
 * field shows a proxy, because a proxy keeps the connection open even if its client has
 * disconnected.
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

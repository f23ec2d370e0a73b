import type { FastifyReply } from 'fastify'
import { isBehindProxy } from './is-behind-proxy.ts'

/** A client that received only a part of a response has closed the connection by then. */
const watchedMs = 1_000

/**
 * Calls back once the client has surely received the response: its connection is still open a second
 * after the end. Never through a proxy that names itself, which keeps its connection open anyway.
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

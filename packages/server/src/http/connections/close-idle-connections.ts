import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './current-response.ts'

const pollIntervalMs = 50
/** Time during a shutdown in which a client may complete the header of a request. */
const headerMsMax = 1_000

/**
 * Returns a function that closes idle connections repeatedly while a server shuts down. A single
 * call would not be enough, because it closes only the connections that are idle at that moment.
 * Node regards a connection as idle only after its first response, so a client that sends nothing or
 * an incomplete header would keep the server open. Call this before the server accepts connections.
 */
export function createIdleConnectionCloser(server: Server): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    const headersDueMs = performance.now() + headerMsMax
    const timer = setInterval(() => {
      server.closeIdleConnections()
      const isHeaderOverdue = performance.now() >= headersDueMs
      for (const socket of sockets) {
        if (currentResponse(socket) === null && (socket.bytesRead === 0 || isHeaderOverdue)) socket.destroy()
      }
    }, pollIntervalMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { currentResponse } from './current-response.ts'

const pollIntervalMs = 50
/** Time after the start of a shutdown within which a client must send the headers of a request. */
const headersMsMax = 1_000

/**
 * Returns a function that repeatedly closes idle connections while a server shuts down. Node's
 * `closeIdleConnections` closes only the connections that are idle at the time of the call. Node also
 * regards a connection as idle only after its first response, so a client that sends nothing, or
 * incomplete headers, would keep the server open. The caller must create this function before the
 * server accepts connections.
 */
export function createIdleConnectionCloser(server: Server): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    const headersDueMs = performance.now() + headersMsMax
    const timer = setInterval(() => {
      server.closeIdleConnections()
      const areHeadersOverdue = performance.now() >= headersDueMs
      for (const socket of sockets) {
        if (currentResponse(socket) === null && (socket.bytesRead === 0 || areHeadersOverdue)) socket.destroy()
      }
    }, pollIntervalMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }
}

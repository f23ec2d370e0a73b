import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { currentResponse } from './current-response.ts'

const pollIntervalMs = 50
/** Maximum time for which a server continues to accept connections while clients open new ones. */
const acceptMsMax = 1_000
const shortIterationMs = 1

/**
 * Time after the start of a shutdown within which a client may send a request on a connection that is
 * open. A proxy that sends a request while the server closes the connection cannot know whether the
 * request has arrived, so it responds to its client with an error.
 */
export const connectionGraceMs = 1_000

/**
 * Returns a function that stops listening, and resolves when all connections are closed or
 * `graceMs` has passed. Afterwards, it repeatedly closes connections without a request in progress
 * until the server is closed. The caller must create this function before the server accepts
 * connections, and should ask clients in each response to close their connection.
 */
export function createDrainConnections(server: Server): (graceMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  let acceptedCount = 0
  server.on('connection', (socket) => {
    acceptedCount++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  /**
   * Waits until no connection waits to be accepted, because the system resets such connections when
   * a server stops listening. Node accepts at most one connection in each iteration of the event
   * loop. If a short iteration accepts none, probably none is waiting.
   */
  async function acceptWaitingConnections(): Promise<void> {
    const dueMs = performance.now() + acceptMsMax
    await nextIteration()
    for (;;) {
      const [acceptedBefore, startedMs] = [acceptedCount, performance.now()]
      await nextIteration()
      const nowMs = performance.now()
      if (nowMs >= dueMs || (acceptedCount === acceptedBefore && nowMs - startedMs < shortIterationMs)) return
    }
  }

  /** Node's `closeIdleConnections` ignores connections that have not sent a complete header yet. */
  function closeConnectionsWithoutRequest(): void {
    server.closeIdleConnections()
    for (const socket of sockets) if (currentResponse(socket) === null) socket.destroy()
  }

  return async (graceMs) => {
    if (!server.listening) return
    await acceptWaitingConnections()
    // The method `close` of HTTP servers would also close idle connections.
    NetServer.prototype.close.call(server)
    const { promise: drained, resolve } = Promise.withResolvers<void>()
    const dueMs = performance.now() + graceMs
    const timer = setInterval(() => {
      if (performance.now() < dueMs) return
      closeConnectionsWithoutRequest()
      resolve()
    }, pollIntervalMs)
    timer.unref()
    server.once('close', () => {
      clearInterval(timer)
      resolve()
    })
    await drained
  }
}

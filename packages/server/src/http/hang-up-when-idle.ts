import type { Server } from 'node:http'

const lookEveryMs = 50

/**
 * A server that closes hangs up on connections that are idle then, and waits for the others to be ended by their clients: those that were
 * answered a moment later would be kept alive for nothing.
 */
export function hangUpWhenIdle(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), lookEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

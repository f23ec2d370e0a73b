import type { Server } from 'node:http'

const pollIntervalMs = 50

/**
 * Closes idle connections repeatedly while a server shuts down. Node closes only connections that
 * are idle at that moment, and would keep those alive that become idle shortly after.
 */
export function closeIdleConnections(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), pollIntervalMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

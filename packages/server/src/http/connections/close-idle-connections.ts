import type { Server } from 'node:http'

const pollIntervalMs = 50

/**
 * Closes idle connections repeatedly while a server shuts down. A single call would not be enough,
 * because it closes only the connections that are idle at that moment.
 */
export function closeIdleConnections(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), pollIntervalMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

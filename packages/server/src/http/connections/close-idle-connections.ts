import type { Server } from 'node:http'

const pollIntervalMs = 50

/**
 * Closes idle connections repeatedly while a server shuts down. Once would not be enough: a call
 * closes only the connections that are idle at that moment, not those that become idle later.
 */
export function closeIdleConnections(server: Server): void {
  const timer = setInterval(() => server.closeIdleConnections(), pollIntervalMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

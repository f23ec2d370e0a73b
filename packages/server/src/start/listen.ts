import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { StartupError } from '../lib/startup-error.ts'

/**
 * Starts listening and returns the origin. Throws a `StartupError` that names the setting to
 * correct.
 */
export async function listen(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartupError(`Port ${port} of ${host} is in use; set FRAMEGATE_PORT to another one, or to 0 for any free one.`, {
        cause: error,
      })
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES') {
      throw new StartupError(
        `Cannot listen on ${host}, port ${port} (${code}); set FRAMEGATE_HOST and FRAMEGATE_PORT to an address of this machine.`,
        { cause: error },
      )
    }
    throw error
  }
  const listening = app.server.address()
  const listeningPort = typeof listening === 'object' && listening !== null ? listening.port : port
  return `http://${hostInUrl(host)}:${listeningPort}`
}

/** Replaces an address that means all interfaces with a host that works in a URL. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

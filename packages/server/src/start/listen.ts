import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { StartupError } from '../lib/startup-error.ts'

export type ListenAddress = Pick<Config, 'host' | 'port'>

/**
 * Starts listening and returns the origin. Throws a `StartupError` that names the setting to
 * change.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, threads }: Pick<Config, 'host' | 'port' | 'threads'>,
): Promise<string> {
  const isPortShared = threads > 1
  try {
    if (isPortShared && port !== 0) await requireFreePort(host, port)
    await listenAt(app, { host, port }, isPortShared)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartupError(`Port ${port} of ${host} is in use; set FRAMEGATE_PORT to another port, or to 0 for a free one.`, {
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
  const address = app.server.address()
  const listeningPort = typeof address === 'object' && address !== null ? address.port : port
  return `http://${hostInUrl(host)}:${listeningPort}`
}

/** Replaces a wildcard address by a host that works in a URL. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Listens on an address. With `isPortShared`, several threads of this process listen on it. */
export async function listenAt(app: FastifyInstance, address: ListenAddress, isPortShared: boolean): Promise<void> {
  // The types of Fastify lack this option of Node.
  const options = { ...address, reusePort: isPortShared }
  await app.listen(options)
}

/**
 * Rejects if another process listens on the port. The threads of a service share their port by
 * `reusePort`, which would also let another service with several threads listen on it.
 */
async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { packConfig } from '../threads/packed-config.ts'
import type { HttpThreadData } from '../threads/http-thread-methods.ts'
import { HttpThreads, type HttpThreadsOptions } from '../threads/http-threads.ts'
import type { Config } from '../config/config.ts'

export interface HttpThreadsDependencies extends Pick<HttpThreadsOptions, 'methods' | 'onFatal'> {
  config: Config
  /** The HTTP server of the main thread, which listens. */
  app: FastifyInstance
  data: Omit<HttpThreadData, 'config' | 'address' | 'passTarget'>
}

/** Starts the HTTP threads, which serve the same address as the main thread. */
export async function startHttpThreads(
  disposables: AsyncDisposableStack,
  { config, app, data, methods, onFatal }: HttpThreadsDependencies,
): Promise<HttpThreads> {
  // Loaded only if there are several threads, because the module imports node:http, which also
  // loads Node's fetch and takes 10 ms.
  const { PassedRequests } = await import('../http/threads/passed-requests.ts')
  const passedRequests = disposables.use(await PassedRequests.open(app))
  return disposables.use(
    await HttpThreads.start({
      count: config.threads - 1,
      data: { ...data, config: packConfig(config), address: addressOf(app.server), passTarget: passedRequests.target },
      methods,
      onFatal,
    }),
  )
}

function addressOf(server: Server): HttpThreadData['address'] {
  const { address: host, port } = server.address() as AddressInfo
  return { host, port }
}

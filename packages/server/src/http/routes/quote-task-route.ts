import type { FastifyInstance } from 'fastify'
import { quoteTask } from '../../tasks/quote-task.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { methodNotAllowed } from '../begin-request.ts'
import { disconnectSignal } from '../connections/disconnect-signal.ts'
import { requireJsonObject } from '../bodies/json-body.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'

export function addQuoteTaskRoute(app: FastifyInstance, dependencies: HttpDependencies, collection: TaskCollection): void {
  const url = `${collection.url}/quote`

  app.route({
    method: 'POST',
    url,
    onRequest: authorize(dependencies.keys, 'tasks:read'),
    config: { acceptsImages: true },
    async handler(request, reply) {
      const quote = await quoteTask(dependencies, {
        principal: principalOf(request),
        catalogue: brandOf(request).catalogue,
        v1Family: collection.v1Family,
        body: requireJsonObject(request),
        signal: disconnectSignal(reply),
      })
      return reply.header('content-type', jsonContentType).send(JSON.stringify(quote))
    },
  })

  // Without these handlers, the requests would act on a task with the id 'quote'.
  app.route({
    method: ['GET', 'HEAD', 'DELETE'],
    url,
    config: { isMethodGuard: true },
    handler(request) {
      throw methodNotAllowed(request.method, 'POST, OPTIONS')
    },
  })
}

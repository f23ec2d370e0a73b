import type { FastifyInstance } from 'fastify'
import { cancelTask } from '../../tasks/cancel-task.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { allowJsonBody } from '../bodies/json-body.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'

export function addCancelTaskRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'keys' | 'store' | 'telemetry'>,
  collection: TaskCollection,
): void {
  app.route<{ Params: { id: string } }>({
    method: 'POST',
    url: `${collection.url}/:id/cancel`,
    onRequest: authorize(dependencies.keys, 'tasks:write'),
    async handler(request, reply) {
      allowJsonBody(request)
      const task = await cancelTask(dependencies.store, principalOf(request).accountNo, request.params.id)
      dependencies.telemetry.taskEnded(task)
      return reply.header('content-type', jsonContentType).send(collection.view(task, brandOf(request).resultOrigin).text)
    },
  })
}

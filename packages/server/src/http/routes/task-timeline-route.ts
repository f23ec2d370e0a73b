import type { FastifyInstance } from 'fastify'
import { findTask } from '../../tasks/find-task.ts'
import { readTimeline } from '../../tasks/read-timeline.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { isOperator } from '../is-operator.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'

export function addTaskTimelineRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'brands' | 'catalogue' | 'clock' | 'keys' | 'routes' | 'store'>,
  { url }: TaskCollection,
): void {
  const { keys, store, brands, routes, catalogue, clock } = dependencies
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id/timeline`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const principal = principalOf(request)
      const task = await findTask(store, principal.accountNo, request.params.id)
      const sources = { query: store.query, routes, catalogue, clock }
      const timeline = await readTimeline(sources, task, isOperator(principal, brands))
      return reply.header('content-type', jsonContentType).send(JSON.stringify(timeline))
    },
  })
}

import type { FastifyInstance } from 'fastify'
import { findTask } from '../tasks/find-task.ts'
import { readTimeline } from '../tasks/read-timeline.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import type { HttpContext } from './services.ts'
import type { TaskCollection } from './task-collection.ts'

export function addTaskTimelineRoute(app: FastifyInstance, { keys, store }: HttpContext, { url }: TaskCollection): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: `${url}/:id/timeline`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const task = await findTask(store, principalOf(request).accountNo, request.params.id)
      return reply.header('content-type', jsonContentType).send(JSON.stringify(await readTimeline(store.query, task)))
    },
  })
}

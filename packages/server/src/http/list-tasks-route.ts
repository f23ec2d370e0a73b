import { taskListParameters } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { listTasks, type TaskPageQuery } from '../tasks/list-tasks.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import { brandOf } from './brand-of.ts'
import { listText } from './list-text.ts'
import { readQueryParameters } from './query-parameters.ts'
import type { HttpContext } from './services.ts'
import type { TaskCollection } from './task-collection.ts'

export function addListTasksRoute(app: FastifyInstance, context: HttpContext, collection: TaskCollection): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: collection.url,
    onRequest: authorize(context.keys, 'tasks:read'),
    async handler(request, reply) {
      const query = readPageQuery(request.query, principalOf(request).accountNo)
      const { tasks, nextCursor } = await listTasks(context.store, query)
      const { resultOrigin } = brandOf(request)
      const items = tasks.map((task) => collection.view(task, resultOrigin).text)
      return reply.header('content-type', jsonContentType).send(listText(items, nextCursor))
    },
  })
}

function readPageQuery(given: unknown, accountNo: number): TaskPageQuery {
  const { limit, cursor, status, model, object, ...created } = readQueryParameters(given, taskListParameters)
  return {
    accountNo,
    limit,
    ...(cursor !== undefined && { cursor }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(object !== undefined && { object }),
    ...(created.created_after !== undefined && { createdFromMs: created.created_after * 1000 }),
    ...(created.created_before !== undefined && { createdUntilMs: created.created_before * 1000 }),
  }
}

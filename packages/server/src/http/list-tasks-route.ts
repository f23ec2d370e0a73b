import { taskStatuses } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { listTasks, type TaskPageQuery } from '../tasks/list-tasks.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import { listText, pageParameters, readPageLength } from './page.ts'
import { invalidParameter, readInteger, readOneOf, readQueryParameters } from './query-parameters.ts'
import type { HttpContext } from './services.ts'
import type { TaskCollection } from './task-collection.ts'

const unixSecondsMax = 99_999_999_999
const filters = ['status', 'model', 'object', 'created_after', 'created_before'] as const

export function addListTasksRoute(app: FastifyInstance, context: HttpContext, collection: TaskCollection): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: collection.url,
    onRequest: authorize(context.keys, 'tasks:read'),
    async handler(request, reply) {
      const query = readPageQuery(request.query, principalOf(request).accountNo)
      const { tasks, nextCursor } = await listTasks(context.store, query)
      const items = tasks.map((task) => collection.view(task).text)
      return reply.header('content-type', jsonContentType).send(listText(items, nextCursor))
    },
  })
}

function readPageQuery(given: unknown, accountNo: number): TaskPageQuery {
  const parameters = readQueryParameters(given, [...pageParameters, ...filters])
  const { cursor, model } = parameters
  const status = readOneOf(parameters, 'status', taskStatuses)
  const object = readOneOf(parameters, 'object', ['image', 'video'])
  const createdAfter = readInteger(parameters, 'created_after', 0, unixSecondsMax)
  const createdBefore = readInteger(parameters, 'created_before', 0, unixSecondsMax)
  if (model === '') throw invalidParameter('model', 'model must be a Model ID.')
  return {
    accountNo,
    limit: readPageLength(parameters),
    ...(cursor !== undefined && { cursor }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    ...(object !== undefined && { object }),
    ...(createdAfter !== undefined && { createdFromMs: createdAfter * 1000 }),
    ...(createdBefore !== undefined && { createdUntilMs: createdBefore * 1000 }),
  }
}

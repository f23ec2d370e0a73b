import { taskListParameters } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { TaskRecord } from '../../db/task-queries.ts'
import { listTasks, type TaskPageQuery } from '../../tasks/list-tasks.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { brandOf } from '../brand-of.ts'
import { listText } from '../responses/list-text.ts'
import { readQueryParameters, type QueryOf } from '../parameters/query-parameters.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import { readTaskFilters } from '../parameters/task-filters.ts'

export function addListTasksRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'keys' | 'store' | 'views'>,
  url: string,
): void {
  const { store, keys, views } = dependencies
  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const query = readQueryParameters(request.query, taskListParameters)
      const { tasks, nextCursor } = await listTasks(store, pageQueryOf(query, principalOf(request).accountNo))
      const { resultOrigin } = brandOf(request)
      const writeText = query.view === 'full' ? fullText : views.listed
      const items = tasks.map((task) => writeText(task, resultOrigin))
      return reply.header('content-type', jsonContentType).send(listText(items, nextCursor))
    },
  })

  /** Returns the same text as the response to a query of the task. */
  function fullText(task: TaskRecord, resultOrigin: string | null): string {
    return views.view(task, resultOrigin).text
  }
}

function pageQueryOf(query: QueryOf<typeof taskListParameters>, accountNo: number): TaskPageQuery {
  const { limit, cursor, view, q, ...filters } = query
  return {
    accountNo,
    limit,
    withTexts: view === 'full',
    ...(cursor !== undefined && { cursor }),
    ...(q !== undefined && { words: wordsOf(q) }),
    ...readTaskFilters(filters),
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

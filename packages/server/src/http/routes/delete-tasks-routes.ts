import { taskDeletionParameters, type DeletedTask, type DeletedTasks } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import type { DeletedTasks as DeletionResult } from '../../deletion/task-deletion.ts'
import { taskNotFound } from '../../tasks/find-task.ts'
import type { TaskPageQuery } from '../../tasks/list-tasks.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { invalidParameter, readQueryParameters } from '../parameters/query-parameters.ts'
import type { HttpDependencies } from '../http-dependencies.ts'
import type { TaskCollection } from './task-collection.ts'
import { readTaskFilters } from '../parameters/task-filters.ts'

export function addDeleteTasksRoutes(
  app: FastifyInstance,
  { deletion, keys }: Pick<HttpDependencies, 'deletion' | 'keys'>,
  collection: TaskCollection,
): void {
  app.route<{ Params: { id: string } }>({
    method: 'DELETE',
    url: `${collection.url}/:id`,
    onRequest: authorize(keys, 'tasks:write'),
    async handler(request, reply) {
      const id = await deletion.deleteTask(request.params.id, principalOf(request).accountNo)
      return reply.header('content-type', jsonContentType).send(JSON.stringify(deletedTaskView(id)))
    },
  })

  app.route({
    method: 'DELETE',
    url: collection.url,
    onRequest: authorize(keys, 'tasks:write'),
    async handler(request, reply) {
      const deletedTasks = await deletion.deleteTasks(readDeletion(request.query, principalOf(request).accountNo))
      return reply.header('content-type', jsonContentType).send(JSON.stringify(deletedTasksView(deletedTasks)))
    },
  })
}

/**
 * Reads the filters of a deletion. A deletion without a filter requires an explicit `all`.
 * Otherwise, a client that sends an empty id by mistake would delete all tasks.
 */
export function readDeletion(query: unknown, accountNo: number): TaskPageQuery {
  const { limit, cursor, all, ...filters } = readQueryParameters(query, taskDeletionParameters)
  const selection = readTaskFilters(filters)
  if (all === undefined && Object.keys(selection).length === 0) {
    throw invalidParameter('all', 'Send a filter such as status or created_before, or all=true to delete all tasks.')
  }
  return { accountNo, limit, ...(cursor !== undefined && { cursor }), ...selection }
}

/** Returns the response to a deletion. Throws an `AppError` if there was no such task. */
export function deletedTaskView(id: string | undefined): DeletedTask {
  if (id === undefined) throw taskNotFound()
  return { id, object: 'task', deleted: true }
}

export function deletedTasksView({ ids, nextCursor }: DeletionResult): DeletedTasks {
  return { object: 'deleted_tasks', deleted: ids.length, has_more: nextCursor !== null, next_cursor: nextCursor }
}

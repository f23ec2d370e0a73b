import type { Store } from '../db/store.ts'
import type { TaskListQuery, TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import { isTaskId } from '../identity/task-id.ts'

export interface TaskPageQuery extends Omit<TaskListQuery, 'beforeId'> {
  cursor?: string
}

export interface TaskPage {
  tasks: TaskRecord[]
  /** Null on the last page. */
  nextCursor: string | null
}

/**
 * One page of the account's tasks, newest first. Reads one more than the limit to know whether
 * there is another page.
 */
export async function listTasks(store: Pick<Store, 'list'>, { cursor, ...query }: TaskPageQuery): Promise<TaskPage> {
  const position = cursor === undefined ? {} : { beforeId: decodeCursor(cursor) }
  const found = await store.list({ ...query, ...position, limit: query.limit + 1 })
  const tasks = found.slice(0, query.limit)
  const last = tasks.at(-1)
  return { tasks, nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last.id) : null }
}

const idPrefix = 'task_'

function encodeCursor(lastId: string): string {
  return Buffer.from(lastId.slice(idPrefix.length), 'hex').toString('base64url')
}

function decodeCursor(cursor: string): string {
  const id = idPrefix + Buffer.from(cursor, 'base64url').toString('hex')
  if (isTaskId(id) && encodeCursor(id) === cursor) return id
  throw new AppError('invalid_parameter', 'cursor must be the next_cursor of an earlier page.', { param: 'cursor' })
}

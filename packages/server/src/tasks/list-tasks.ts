import type { Store } from '../db/store.ts'
import type { TaskListQuery, TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import { isTaskId } from '../identity/task-id.ts'

export interface TaskPageQuery extends Omit<TaskListQuery, 'beforeId' | 'afterId' | 'isOldestFirst'> {
  cursor?: string
}

export interface TaskPage {
  tasks: TaskRecord[]
  /** Null on the last page. */
  nextCursor: string | null
}

/** Lists one page of the account's tasks, newest first. */
export async function listTasks(store: Pick<Store, 'list'>, { cursor, ...query }: TaskPageQuery): Promise<TaskPage> {
  const position = cursor === undefined ? {} : { beforeId: decodeCursor(cursor) }
  const { tasks, hasMore } = await readTaskPage(store, { ...query, ...position })
  const last = tasks.at(-1)
  return { tasks, nextCursor: hasMore && last !== undefined ? encodeCursor(last.id) : null }
}

/**
 * Reads one page of tasks. It reads one task more than the limit, to find out whether there is
 * another page.
 */
export async function readTaskPage(
  store: Pick<Store, 'list'>,
  query: TaskListQuery,
): Promise<{ tasks: TaskRecord[]; hasMore: boolean }> {
  const found = await store.list({ ...query, limit: query.limit + 1 })
  return { tasks: found.slice(0, query.limit), hasMore: found.length > query.limit }
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

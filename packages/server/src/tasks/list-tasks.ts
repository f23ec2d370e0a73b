import { setImmediate } from 'node:timers/promises'
import type { Store } from '../db/store.ts'
import type { TaskListQuery, TaskRecord } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import { promptContains } from './parameters-text.ts'
import { isTaskId } from '../identity/task-id.ts'

export interface TaskPageQuery extends Omit<TaskListQuery, 'beforeId' | 'afterId' | 'isOldestFirst'> {
  cursor?: string
  /** Lists only tasks whose prompt contains all of these words, which must be in lower case. */
  words?: readonly string[]
}

export interface TaskPage {
  tasks: TaskRecord[]
  /** Null on the last page. */
  nextCursor: string | null
}

/** Lists one page of the account's tasks, newest first. */
export async function listTasks(store: Pick<Store, 'list'>, { cursor, words, ...query }: TaskPageQuery): Promise<TaskPage> {
  const cursorQuery = cursor === undefined ? {} : { beforeId: decodeCursor(cursor) }
  if (words !== undefined) return searchTasks(store, { ...query, ...cursorQuery }, words)
  const { tasks, hasMore } = await readTaskPage(store, { ...query, ...cursorQuery })
  const lastTask = tasks.at(-1)
  return { tasks, nextCursor: hasMore && lastTask !== undefined ? encodeCursor(lastTask.id) : null }
}

/** Maximum number of prompts that a request searches. A multiple of `searchBatchSize`. */
const searchedTasksMax = 2_000
/** Number of prompts that are searched before the event loop continues with other work. */
const searchBatchSize = 200

/**
 * Lists one page of the tasks whose prompt contains the words. The cursor is the last task that was
 * searched, so the next page continues there even if this one is empty.
 */
async function searchTasks(
  store: Pick<Store, 'list'>,
  { limit, ...query }: TaskListQuery,
  words: readonly string[],
): Promise<TaskPage> {
  const tasks: TaskRecord[] = []
  let { beforeId } = query
  for (let searchedCount = 0; searchedCount < searchedTasksMax; searchedCount += searchBatchSize) {
    const page = await store.list({ ...query, ...(beforeId !== undefined && { beforeId }), limit: searchBatchSize })
    for (const task of page) {
      beforeId = task.id
      if (!promptContains(task.parameters, words)) continue
      tasks.push(task)
      if (tasks.length === limit) return { tasks, nextCursor: encodeCursor(task.id) }
    }
    if (page.length < searchBatchSize) return { tasks, nextCursor: null }
    await setImmediate()
  }
  return { tasks, nextCursor: beforeId === undefined ? null : encodeCursor(beforeId) }
}

export async function readTaskPage(
  store: Pick<Store, 'list'>,
  query: TaskListQuery,
): Promise<{ tasks: TaskRecord[]; hasMore: boolean }> {
  const rows = await store.list({ ...query, limit: query.limit + 1 })
  return { tasks: rows.slice(0, query.limit), hasMore: rows.length > query.limit }
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

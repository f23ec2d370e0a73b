import { isTerminal } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import type { Tables } from '../db/tables.ts'
import { attemptIdOf } from '../identity/attempt-id.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { isTaskId, taskIdOf, taskNoOf, taskTailOf } from '../identity/task-id.ts'
import type { MediaStore } from '../media/media-store.ts'
import { removeResult } from '../media/remove-result.ts'
import { listTasks, type TaskPageQuery } from '../tasks/list-tasks.ts'
import { withoutContent } from '../tasks/parameters-text.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { forgetDeliveriesOf } from '../webhooks/remove-webhooks.ts'
import { removeLocalResultsOf } from './local-result-leftovers.ts'

export interface TaskDeletionDependencies {
  store: Pick<Store, 'database' | 'list' | 'find' | 'cancel' | 'erase' | 'markResultsRemoved'>
  mediaStore: Pick<MediaStore, 'remove'>
  /** Folder for results that an upstream provides only once. */
  localResultsFolder: string
  telemetry: Pick<Telemetry, 'taskEnded'>
  clock: Clock
  logger: Pick<Logger, 'error'>
}

/** Result of a deletion of several tasks. */
export interface DeletedTasks {
  ids: readonly string[]
  /** Cursor for the next deletion. Null: no further task matches the filters. */
  nextCursor: string | null
}

/**
 * Deletes tasks permanently:
 *
 *   1. cancel    a task that has not ended is cancelled: its hold is released, and its job is
 *                cancelled
 *   2. erase     in one commit, content is removed from the database, the task is hidden, and its
 *                results expire
 *   3. remove    the files of the results and their previews are removed, then the rows of the
 *                results
 *
 * A crash between two steps leaves a cancelled task, which the client can delete again, or an
 * expired result, which the sweep removes.
 */
export interface TaskDeletion {
  /**
   * Deletes a task and returns its id, also if the task is already deleted. Returns undefined if
   * there is no such task, or if it belongs to another account. If `accountNo` is null, the task
   * may belong to any account.
   */
  deleteTask(id: string, accountNo: number | null): Promise<string | undefined>
  /**
   * Deletes up to `limit` tasks, newest first. `erasureOf` is the number of the account whose
   * erasure deletes the tasks, if any.
   */
  deleteTasks(query: TaskPageQuery, erasureOf?: number): Promise<DeletedTasks>
}

type DeletionTarget = Pick<TaskRecord, 'id' | 'status' | 'parameters'>

const concurrentRemovalsMax = 8

export function createTaskDeletion(dependencies: TaskDeletionDependencies): TaskDeletion {
  const { store, mediaStore, localResultsFolder, telemetry, clock, logger } = dependencies

  async function cancel({ id, status }: DeletionTarget): Promise<void> {
    if (isTerminal(status) || !(await store.cancel(id))) return
    const endedTask = await store.find(id)
    if (endedTask !== undefined) telemetry.taskEnded(endedTask)
  }

  async function deleteAll(tasks: readonly DeletionTarget[], erasureOf?: number): Promise<void> {
    if (tasks.length === 0) return
    await Promise.all(tasks.map(cancel))
    const ids = tasks.map(({ id }) => id)
    await forgetReviews(store.database, ids)
    await forgetDeliveriesOf(store.database, ids.map(taskNoOf))
    await store.erase(
      tasks.map(({ id, parameters }) => ({ id, parameters: withoutContent(parameters) })),
      { kind: 'task', ...(erasureOf !== undefined && { erasureOf }) },
    )
    // A webhook response that arrived after the first call may have been stored before `erase`. Now
    // the task is marked as deleted, so later responses are not stored.
    await forgetDeliveriesOf(store.database, ids.map(taskNoOf))
    try {
      await removeResults(ids)
      await removeLocalResultsOf(localResultsFolder, new Set(ids))
    } catch (error) {
      logger.error({ err: error }, 'files of deleted tasks could not be removed; this will be retried')
    }
  }

  async function removeResults(ids: readonly string[]): Promise<void> {
    const results = await store.database
      .selectFrom('results')
      .innerJoin('tasks', 'tasks.no', 'results.task_no')
      .select(['results.object_key as objectKey', 'tasks.no', 'tasks.tail'])
      .where('results.task_no', 'in', ids.map(taskNoOf))
      .where('tasks.deleted_at', 'is not', null)
      .where('removed_at', 'is', null)
      .execute()
    for (let start = 0; start < results.length; start += concurrentRemovalsMax) {
      const batch = results.slice(start, start + concurrentRemovalsMax)
      await Promise.all(batch.map(({ objectKey }) => removeResult(mediaStore, objectKey)))
      await store.markResultsRemoved(
        batch.map(({ objectKey, no, tail }) => ({ objectKey, taskId: taskIdOf(no, tail) })),
        clock(),
      )
    }
  }

  return {
    async deleteTask(id, accountNo) {
      const task = isTaskId(id) ? await findRow(store.database, id) : undefined
      if (task === undefined || (accountNo !== null && task.accountNo !== accountNo)) return undefined
      if (!task.isDeleted) await deleteAll([task])
      return id
    },

    async deleteTasks(query, erasureOf) {
      const { tasks, nextCursor } = await listTasks(store, query)
      await deleteAll(tasks, erasureOf)
      return { ids: tasks.map(({ id }) => id), nextCursor }
    },
  }
}

interface TaskToDelete extends DeletionTarget {
  accountNo: number
  isDeleted: boolean
}

/** Reads the row of a task, even if the task is deleted, unlike `store.find`. */
async function findRow(database: Kysely<Tables>, id: string): Promise<TaskToDelete | undefined> {
  const row = await database
    .selectFrom('all_tasks')
    .select(['account_no', 'status', 'parameters', 'deleted_at'])
    .where('no', '=', taskNoOf(id))
    .where('tail', '=', taskTailOf(id))
    .executeTakeFirst()
  return (
    row && { id, accountNo: row.account_no, status: row.status, parameters: row.parameters, isDeleted: row.deleted_at !== null }
  )
}

/**
 * Clears `before` and `after` in the audit entries about resolved attempts of these tasks. The
 * actor, action and time of each entry are kept.
 */
async function forgetReviews(database: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const resolvedAttempts = await database
    .selectFrom('all_task_attempts')
    .select(['task_no', 'number'])
    .where('task_no', 'in', ids.map(taskNoOf))
    .where('closed_at', 'is not', null)
    .execute()
  if (resolvedAttempts.length === 0) return
  const idOfNo = new Map(ids.map((id) => [taskNoOf(id), id]))
  const targets = resolvedAttempts.map(({ task_no, number }) => attemptIdOf(idOfNo.get(task_no) ?? '', number))
  await database.updateTable('audit_log').set({ before: null, after: null }).where('target', 'in', targets).execute()
}

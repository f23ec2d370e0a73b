import { sql } from 'kysely'
import type { Store } from '../db/store.ts'
import type { Failure } from '../db/task-queue.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { firstTaskNoAt, taskIdOf } from '../identity/task-id.ts'
import { failWaitingTask, type WaitingEndDependencies } from './end-task.ts'

const sweepIntervalMsMax = 60_000
const sweepIntervalMsMin = 1_000
const tasksPerBatchMax = 500

const waitTimeoutFailure: Failure = {
  code: 'upstream_timeout',
  message: 'No provider accepted the task in time. Submit it again later.',
}

export interface WaitingTasksDependencies extends WaitingEndDependencies {
  store: Pick<Store, 'database' | 'fail' | 'find'>
  startDeadlineMs: number
  clock: Clock
  logger: Logger
}

/**
 * Until its disposal, periodically fails tasks that no provider has accepted in time, because all
 * routes of their model fail, are full or are paused. The start deadline is counted from the time
 * when the task can first be claimed, so it excludes the time in which the task waits for a limit
 * of the account or for its delay. A rejected attempt does not restart the deadline.
 */
export function endWaitingTasks(dependencies: WaitingTasksDependencies): AsyncDisposable {
  const { store, startDeadlineMs, clock, logger } = dependencies
  let currentSweep: Promise<void> | null = null
  const stopController = new AbortController()

  async function sweep(): Promise<void> {
    for (let overdueCount = tasksPerBatchMax; overdueCount === tasksPerBatchMax && !stopController.signal.aborted;) {
      const overdueTasks = await listDueBefore(clock() - startDeadlineMs, store)
      // If a task was claimed since the query, its fence is higher now, so this call does not fail
      // it.
      await Promise.all(overdueTasks.map((lease) => failWaitingTask(lease, waitTimeoutFailure, dependencies)))
      overdueCount = overdueTasks.length
      if (overdueCount > 0) logger.warn({ tasks: overdueCount }, 'tasks that could not be started in time were failed')
    }
  }

  const intervalMs = Math.min(sweepIntervalMsMax, Math.max(sweepIntervalMsMin, startDeadlineMs / 10))
  const timer = setInterval(() => {
    currentSweep ??= sweep()
      .catch((error: unknown) =>
        logger.error({ err: error }, 'tasks that have waited too long could not be ended; this will be retried'),
      )
      .finally(() => {
        currentSweep = null
      })
  }, intervalMs)

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopController.abort()
      await currentSweep
    },
  }
}

/**
 * Returns at most `tasksPerBatchMax` waiting tasks without an open attempt whose first due time is
 * before `dueBeforeMs`. The query uses the index tasks_virtual_start_idx.
 */
async function listDueBefore(
  dueBeforeMs: number,
  { database }: Pick<Store, 'database'>,
): Promise<{ id: string; fence: number }[]> {
  const rows = await database
    .selectFrom('tasks')
    .select(['no', 'tail', 'lease_fence'])
    .where('virtual_start', 'is not', null)
    // The `+ 0` makes this condition a filter on index entries, so the database reads rows only for
    // matching entries. Without the `+ 0` the database could scan the range of all old task numbers
    // instead.
    .where(sql<number>`no + 0`, '<', firstTaskNoAt(dueBeforeMs))
    .where(sql<number>`coalesce(first_due_at, due_at)`, '<', dueBeforeMs)
    .limit(tasksPerBatchMax)
    .execute()
  return rows.map(({ no, tail, lease_fence }) => ({ id: taskIdOf(no, tail), fence: lease_fence }))
}

import { sql } from 'kysely'
import type { Store } from '../db/store.ts'
import type { Failure } from '../db/task-queue.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { firstTaskNoAt, taskIdOf } from '../identity/task-id.ts'

const sweepEveryMsMax = 60_000
const sweepEveryMsMin = 1_000
const endedAtOnceMax = 500

const failure: Failure = {
  code: 'upstream_timeout',
  message: 'No provider accepted the task in time. Submit it again later.',
}

export interface WaitingTasksOptions {
  store: Pick<Store, 'query' | 'fail'>
  startDeadlineMs: number
  clock: Clock
  logger: Logger
}

/**
 * Fails tasks that no provider has accepted in time: all routes of their model are out of order,
 * full or paused. The time runs from the moment at which the task could first be claimed; waits for
 * a limit of its account, or for a delay, do not count. A refused attempt does not reset it.
 */
export function endWaitingTasks({ store, startDeadlineMs, clock, logger }: WaitingTasksOptions): AsyncDisposable {
  let sweeping: Promise<void> | null = null
  const stopping = new AbortController()

  async function sweep(): Promise<void> {
    for (let ended = endedAtOnceMax; ended === endedAtOnceMax && !stopping.signal.aborted;) {
      const overdue = await waitingSince(store, clock() - startDeadlineMs)
      // A task that is claimed meanwhile has a higher fence, so it continues.
      await Promise.all(overdue.map((lease) => store.fail(lease, failure)))
      ended = overdue.length
      if (ended > 0) logger.warn({ tasks: ended }, 'tasks that could not be started in time were failed')
    }
  }

  const everyMs = Math.min(sweepEveryMsMax, Math.max(sweepEveryMsMin, startDeadlineMs / 10))
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) =>
        logger.error({ err: error }, 'tasks that have waited too long could not be ended; this will be retried'),
      )
      .finally(() => {
        sweeping = null
      })
  }, everyMs)

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await sweeping
    },
  }
}

/**
 * Waiting tasks that were due before `sinceMs`, by index tasks_virtual_start_idx; they have no open
 * attempt.
 */
async function waitingSince({ query }: Pick<Store, 'query'>, sinceMs: number): Promise<{ id: string; fence: number }[]> {
  const rows = await query
    .selectFrom('tasks')
    .select(['no', 'tail', 'lease_fence'])
    .where('virtual_start', 'is not', null)
    // The `+ 0` makes this a filter on index entries, which saves reading the row of each. As a
    // range it would lead through all old tasks.
    .where(sql<number>`no + 0`, '<', firstTaskNoAt(sinceMs))
    .where(sql<number>`coalesce(first_due_at, due_at)`, '<', sinceMs)
    .limit(endedAtOnceMax)
    .execute()
  return rows.map(({ no, tail, lease_fence }) => ({ id: taskIdOf(no, tail), fence: lease_fence }))
}

import type { Store } from '../db/store.ts'
import { firstTaskNoAt } from '../identity/task-id.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

export interface TaskRetentionDependencies {
  store: Pick<Store, 'moveTasks' | 'dropMonth' | 'removeTasks'>
  /**
   * Number of months (UTC) after a task's month of creation for which the task is kept. Null: tasks
   * are kept forever.
   */
  months: number | null
  resultRetentionMs: number
  /** Whether this process is the one that removes tasks for all processes on the database. */
  isLeader: () => boolean
  clock: Clock
  logger: Logger
}

/**
 * Removes old tasks with their attempts and results. On PostgreSQL, tasks are moved to the tables
 * of their month soon after their content was removed, and the tables of a month are dropped in one
 * step. All other tasks are removed in batches: tasks on SQLite, and tasks that were not moved in
 * time. If `months` is null, tasks are neither removed nor moved.
 */
export interface TaskRetention {
  sweep(signal: AbortSignal): Promise<void>
}

/** Pause before another attempt to drop a month that other statements use. */
const busyPauseMs = 500
const tasksPerBatch = 100
/** Pause between two batches, during which the database serves other queries. */
const pauseMs = 10
/** Minimum time between two complete sweeps. */
const passIntervalMs = 60 * 60 * 1000

export function createTaskRetention(dependencies: TaskRetentionDependencies): TaskRetention {
  const { store, months, resultRetentionMs, isLeader, clock, logger } = dependencies
  let removedBelowNo = 0
  let movedBelowNo = 0
  let passEndedAtMs = -Infinity

  async function dropMonths(beforeNo: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const dropped = await store.dropMonth(beforeNo)
      if (dropped.kind === 'none') return
      if (dropped.kind === 'dropped') logger.info({ month: dropped.name }, 'a month of tasks was removed')
      else await sleepUntilAborted(busyPauseMs, signal)
    }
  }

  async function removeTasks(beforeNo: number, signal: AbortSignal): Promise<void> {
    let removedCount = 0
    while (!signal.aborted) {
      const { ids, nextNo } = await store.removeTasks({ fromNo: removedBelowNo, beforeNo, countMax: tasksPerBatch })
      removedCount += ids.length
      removedBelowNo = nextNo ?? 0
      if (nextNo === null) break
      await sleepUntilAborted(pauseMs, signal)
    }
    if (removedCount > 0) logger.info({ removed: removedCount }, 'old tasks were removed')
  }

  async function moveTasks(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { nextNo } = await store.moveTasks({ fromNo: movedBelowNo, countMax: tasksPerBatch, resultRetentionMs })
      movedBelowNo = nextNo ?? 0
      if (nextNo === null) return
      await sleepUntilAborted(pauseMs, signal)
    }
  }

  return {
    async sweep(signal) {
      // The absolute difference matters, because the clock may have been set back.
      if (months === null || !isLeader() || Math.abs(clock() - passEndedAtMs) < passIntervalMs) return
      const beforeNo = firstTaskNoAt(startOfMonth(clock(), -months))
      await dropMonths(beforeNo, signal)
      await removeTasks(beforeNo, signal)
      await moveTasks(signal)
      if (!signal.aborted) passEndedAtMs = clock()
    },
  }
}

/** Returns the start in UTC of the month that is `monthOffset` months after the month of `ms`. */
function startOfMonth(ms: number, monthOffset: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthOffset)
}

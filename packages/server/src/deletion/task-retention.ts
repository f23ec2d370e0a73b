import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../db/store.ts'
import { firstTaskNoAt } from '../identity/task-id.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'

export interface TaskRetentionParts {
  store: Pick<Store, 'removeTasks'>
  /** Number of whole months (UTC) after its own for which a task is kept. Null: forever. */
  months: number | null
  /** Whether this process does the work of all processes on the database. */
  isLeader: () => boolean
  clock: Clock
  logger: Logger
}

/**
 * Removes the tasks of past months with their attempts and results, in batches. The first pass over
 * a month removes most of its tasks. Later passes remove those of which something was still needed.
 */
export interface TaskRetention {
  sweep(signal: AbortSignal): Promise<void>
}

const tasksPerBatch = 500
/** Pause between two batches, during which the database serves other queries. */
const pauseMs = 25
/** Time between two passes over the tasks that are older than the retention. */
const passIntervalMs = 60 * 60 * 1000

export function createTaskRetention({ store, months, isLeader, clock, logger }: TaskRetentionParts): TaskRetention {
  let positionNo = 0
  let passDueAtMs = 0

  async function removeTasks(beforeNo: number, signal: AbortSignal): Promise<void> {
    let removed = 0
    while (!signal.aborted) {
      const { ids, nextNo } = await store.removeTasks({ fromNo: positionNo, beforeNo, countMax: tasksPerBatch })
      removed += ids.length
      positionNo = nextNo ?? 0
      if (nextNo === null) {
        passDueAtMs = clock() + passIntervalMs
        break
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    if (removed > 0) logger.info({ removed }, 'old tasks were removed')
  }

  return {
    async sweep(signal) {
      if (months === null || !isLeader() || clock() < passDueAtMs) return
      await removeTasks(firstTaskNoAt(startOfMonth(clock(), -months)), signal)
    },
  }
}

/** The first millisecond of a month in UTC: of the month of `ms`, or of one some months later. */
function startOfMonth(ms: number, months: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}

import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { RunningTask } from './running-task.ts'

const readAgainMs = 1_000

/**
 * Repeats a read while the database is unavailable. The worker keeps its lease. If it gave up
 * without releasing the lease, the task would wait until the lease expired. If it released the
 * lease, the task would be claimed and given up again and again. Returns null if the work was
 * stopped.
 */
export async function retryWhileUnavailable<Read>(running: RunningTask, read: () => Promise<Read>): Promise<Read | null> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await running.pause(readAgainMs)
      if (running.stopReason !== null) return null
    }
  }
}

import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { RunningTask } from './running-task.ts'

const retryDelayMs = 1_000

/**
 * Retries a read while the database is unavailable. Returns null if the work was stopped. The
 * worker keeps its lease meanwhile. If it stopped without releasing the lease, the task would wait
 * until the lease expired. If it released the lease, workers would claim and release the task
 * repeatedly.
 */
export async function retryWhileUnavailable<Read>(running: RunningTask, read: () => Promise<Read>): Promise<Read | null> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await running.pause(retryDelayMs)
      if (running.stopReason !== null) return null
    }
  }
}

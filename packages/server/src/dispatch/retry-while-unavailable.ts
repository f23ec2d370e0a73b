import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { RunningTask } from './running-task.ts'

const readAgainMs = 1_000

/**
 * Repeats a read while the database is unavailable, and keeps the lease meanwhile. Work that broke
 * off would be resumed only when its lease has expired; given back at once, it would be claimed and
 * break off again and again. Returns null if the work was stopped.
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

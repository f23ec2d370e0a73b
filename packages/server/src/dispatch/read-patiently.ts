import { StoreUnavailable } from '../db/store-unavailable.ts'
import type { RunningTask } from './running-task.ts'

const readAgainMs = 1_000

/**
 * Waits for a database that is away, and keeps the lease meanwhile: work that broke off would be gone on with when the lease has run out,
 * and given back at once it would be claimed and break off again and again. Null when the work was stopped.
 */
export async function readPatiently<Read>(running: RunningTask, read: () => Promise<Read>): Promise<Read | null> {
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

import { StoreClosed } from '../db/store-unavailable.ts'
import type { Logger } from '../lib/logger.ts'
import type { RunningTask } from './running-task.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

const [firstRetryMs, retryMsMax] = [1_000, 10_000]

/**
 * Retries a write until it succeeds. It is for writes that record the outcome of a submit. Without
 * such a write, the worker that resumes the attempt would treat the known outcome as lost.
 * The write must be idempotent, because an earlier try may have been committed. Rejects when the
 * grace period at shutdown is over or the store is closed.
 */
export async function retryWrite<Result>(
  { detachedSignal }: RunningTask,
  { logger }: { logger: Logger },
  write: () => Promise<Result>,
): Promise<Result> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
    try {
      return await write()
    } catch (error) {
      if (detachedSignal.aborted || error instanceof StoreClosed) throw error
      logger.error({ err: error }, 'the outcome of a submit could not be stored; the write will be retried')
      await sleepUntilAborted(retryMs, detachedSignal)
    }
  }
}

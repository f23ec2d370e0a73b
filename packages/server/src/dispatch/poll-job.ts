import type { Driver, GenerationRequest, Operation, PollOutcome } from '../drivers/driver.ts'
import type { PollRateLimiter } from '../routing/poll-rate-limiter.ts'

export interface JobToPoll {
  driver: Pick<Driver, 'poll'>
  operation: Operation
  request: GenerationRequest
  /** Limiter of the upstream's polls. Null for the embedded driver, which has no upstream. */
  pollLimiter: PollRateLimiter | null
}

/**
 * Polls a job once. If the upstream sends a `Retry-After` with an error, later polls of this
 * upstream wait. The caller must wait for the limiter first.
 */
export async function pollJob({ driver, operation, request, pollLimiter }: JobToPoll, signal: AbortSignal): Promise<PollOutcome> {
  try {
    return await driver.poll(operation, request, signal)
  } catch (error) {
    pollLimiter?.recordError(error)
    throw error
  }
}

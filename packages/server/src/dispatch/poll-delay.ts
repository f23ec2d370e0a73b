import type { ExpectedDuration } from '../routing/durations.ts'

const jitterShare = 0.2
/** Maximum delay before the expected end. It keeps the progress that clients see up to date. */
const firstMsMax = 10_000
/** Maximum delay around the expected end. */
const pollMsMaxNearEnd = 10_000
const overdueMsMax = 60_000

export interface PollingPace {
  /** Minimum delay between two polls. */
  minMs: number
  expected: ExpectedDuration | null
}

/**
 * Returns the delay until the next poll of an operation that has run for `elapsedMs`. `random` is
 * in [0, 1).
 *
 *   before its expected end   long delays, because only the progress can have changed
 *   around its expected end   a tenth of the expected duration
 *   after its expected end    increasing delays, about a third of the time since the expected end
 *
 * For a route whose durations are unknown, the delay is a tenth of the elapsed time. The delay
 * until the dispatcher detects the end of an operation is then at most a tenth of the operation's
 * duration.
 */
export function pollDelayMs(elapsedMs: number, { minMs, expected }: PollingPace, random: number): number {
  const delayMs = expected === null ? Math.min(pollMsMaxNearEnd, elapsedMs * 0.1) : expectedDelayMs(elapsedMs, expected)
  return Math.max(minMs, delayMs) * (1 - jitterShare / 2 + jitterShare * random)
}

/**
 * Whether an operation has run for more than twice the duration within which nine tenths of the
 * operations end (`p90Ms`). Such an operation may be stuck.
 */
export function isOverdue(elapsedMs: number, expected: ExpectedDuration | null): boolean {
  return expected !== null && elapsedMs > 2 * expected.p90Ms
}

function expectedDelayMs(elapsedMs: number, { shortestMs, p90Ms }: ExpectedDuration): number {
  const pollMsNearEnd = Math.min(pollMsMaxNearEnd, p90Ms * 0.1)
  const untilEarlyMs = shortestMs * 0.9 - elapsedMs
  if (untilEarlyMs > pollMsNearEnd) return Math.min(firstMsMax, untilEarlyMs)
  return Math.min(overdueMsMax, pollMsNearEnd + Math.max(0, elapsedMs - p90Ms) * 0.35)
}

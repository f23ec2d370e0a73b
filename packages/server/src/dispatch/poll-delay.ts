import type { ExpectedDuration } from '../routing/durations.ts'

const jitterShare = 0.2
/** How long a client waits to see progress, at most. */
const firstMsMax = 10_000
/** Around the expected end. */
const nearMsMax = 10_000
const overdueMsMax = 60_000

export interface PollingPace {
  /** Never more often than so. */
  minMs: number
  expected: ExpectedDuration | null
}

/**
 * When to poll next an operation that has run for `elapsedMs`; `random` is in [0, 1).
 *
 *   before its expected end   seldom: nothing but progress can have changed
 *   around it                 a tenth of the time that such an operation takes
 *   after it                  less and less often: it is noticed a third of the time late by which it comes late
 *
 * Of a route that is not known yet a tenth of the time that has passed notices the end at most a tenth late.
 */
export function pollDelayMs(elapsedMs: number, { minMs, expected }: PollingPace, random: number): number {
  const delayMs = expected === null ? Math.min(nearMsMax, elapsedMs * 0.1) : knownDelayMs(elapsedMs, expected)
  return Math.max(minMs, delayMs) * (1 - jitterShare / 2 + jitterShare * random)
}

/** An operation that has run for twice as long as nearly all others: it may be stuck. */
export function isOverdue(elapsedMs: number, expected: ExpectedDuration | null): boolean {
  return expected !== null && elapsedMs > 2 * expected.lateMs
}

function knownDelayMs(elapsedMs: number, { earlyMs, lateMs }: ExpectedDuration): number {
  const nearMs = Math.min(nearMsMax, lateMs * 0.1)
  const untilEarlyMs = earlyMs * 0.9 - elapsedMs
  if (untilEarlyMs > nearMs) return Math.min(firstMsMax, untilEarlyMs)
  return Math.min(overdueMsMax, nearMs + Math.max(0, elapsedMs - lateMs) * 0.35)
}

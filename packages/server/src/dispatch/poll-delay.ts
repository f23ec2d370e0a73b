import type { ExpectedDuration } from '../routing/durations.ts'

const jitterShare = 0.2
/** Longest delay before the expected end, so that clients see progress. */
const firstMsMax = 10_000
/** Longest delay around the expected end. */
const nearMsMax = 10_000
const overdueMsMax = 60_000

export interface PollingPace {
  /** Shortest delay between two polls. */
  minMs: number
  expected: ExpectedDuration | null
}

/**
 * Delay until the next poll of an operation that has run for `elapsedMs`; `random` is in [0, 1).
 *
 *   before its expected end   long delays: only its progress can have changed
 *   around it                 a tenth of the usual duration
 *   after it                  increasing delays, about a third of how late the operation is
 *
 * For a route whose durations are unknown the delay is a tenth of the elapsed time. The end of an
 * operation is then noticed late by at most a tenth of its duration.
 */
export function pollDelayMs(elapsedMs: number, { minMs, expected }: PollingPace, random: number): number {
  const delayMs = expected === null ? Math.min(nearMsMax, elapsedMs * 0.1) : knownDelayMs(elapsedMs, expected)
  return Math.max(minMs, delayMs) * (1 - jitterShare / 2 + jitterShare * random)
}

/** Whether an operation has run for twice as long as nearly all others: it may be stuck. */
export function isOverdue(elapsedMs: number, expected: ExpectedDuration | null): boolean {
  return expected !== null && elapsedMs > 2 * expected.lateMs
}

function knownDelayMs(elapsedMs: number, { earlyMs, lateMs }: ExpectedDuration): number {
  const nearMs = Math.min(nearMsMax, lateMs * 0.1)
  const untilEarlyMs = earlyMs * 0.9 - elapsedMs
  if (untilEarlyMs > nearMs) return Math.min(firstMsMax, untilEarlyMs)
  return Math.min(overdueMsMax, nearMs + Math.max(0, elapsedMs - lateMs) * 0.35)
}

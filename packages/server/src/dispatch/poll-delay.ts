import type { ExpectedDuration } from '../routing/durations.ts'

/** Width of the range of random delays, relative to the delay without jitter. */
const jitterShare = 0.2
/** Maximum delay before the expected end. It keeps the progress that clients see up to date. */
const delayMsMaxBeforeEnd = 10_000
/** Maximum delay around the expected end. */
const delayMsMaxNearEnd = 10_000
const delayMsMaxAfterEnd = 60_000

export interface PollingPace {
  /** Minimum delay between two polls, before jitter. */
  minMs: number
  expected: ExpectedDuration | null
}

/**
 * Returns the delay until the next poll of an operation that has run for `elapsedMs`. `random` is
 * in [0, 1).
 *
 *   before its expected end   up to 10 s, because only the progress can have changed
 *   around its expected end   a tenth of the expected duration, up to 10 s
 *   after its expected end    that delay plus about a third of the time since then, up to a minute
 *
 * For a route whose durations are unknown, the delay is a tenth of the elapsed time, up to 10 s.
 * The end of an operation is then detected within a tenth of its duration. In all cases the delay
 * before jitter is at least `minMs`, and jitter changes it by up to a tenth.
 */
export function pollDelayMs(elapsedMs: number, { minMs, expected }: PollingPace, random: number): number {
  const delayMs = expected === null ? Math.min(delayMsMaxNearEnd, elapsedMs * 0.1) : predictedDelayMs(elapsedMs, expected)
  return Math.max(minMs, delayMs) * (1 - jitterShare / 2 + jitterShare * random)
}

/**
 * Whether an operation has run for more than twice the duration within which nine tenths of the
 * operations end (`p90Ms`). Such an operation may be stuck.
 */
export function isOverdue(elapsedMs: number, expected: ExpectedDuration | null): boolean {
  return expected !== null && elapsedMs > 2 * expected.p90Ms
}

function predictedDelayMs(elapsedMs: number, { shortestMs, p90Ms }: ExpectedDuration): number {
  const delayMsNearEnd = Math.min(delayMsMaxNearEnd, p90Ms * 0.1)
  const untilEarliestEndMs = shortestMs * 0.9 - elapsedMs
  if (untilEarliestEndMs > delayMsNearEnd) return Math.min(delayMsMaxBeforeEnd, untilEarliestEndMs)
  return Math.min(delayMsMaxAfterEnd, delayMsNearEnd + Math.max(0, elapsedMs - p90Ms) * 0.35)
}

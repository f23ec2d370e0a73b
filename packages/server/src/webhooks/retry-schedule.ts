const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** Delay after each failed attempt: ten attempts in about 76 hours. */
const delaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
/** Keeps deliveries that failed together from being repeated together. */
const jitterShare = 0.1
const retryAfterMsMax = hourMs

/** An endpoint whose attempts have all failed for this time is disabled. */
export const disabledAfterMs = 5 * 24 * hourMs

/** Consecutive failures until all deliveries of an endpoint pause. */
const failuresUntilPause = 5
const [pauseMsMin, pauseMsMax] = [30 * secondMs, 5 * minuteMs]

/**
 * Delay before the next attempt after this many failures of a delivery; null: there is none.
 * `random` is from 0 to 1.
 */
export function retryDelayMs(tries: number, random: number): number | null {
  const delayMs = delaysMs[tries - 1]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + jitterShare * random))
}

/**
 * How long an endpoint pauses after this many consecutive failures. Its other deliveries wait; then
 * one of them tests whether it works again.
 */
export function pauseMs(failures: number): number {
  if (failures < failuresUntilPause) return 0
  return Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - failuresUntilPause))
}

/** The delay that a Retry-After header asks for, bounded; 0 if there is none. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(retryAfterMsMax, Math.max(0, seconds * 1000))
}

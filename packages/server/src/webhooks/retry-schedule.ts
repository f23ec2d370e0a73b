const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** Delay after each failed attempt. There are ten attempts in about 76 hours. */
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
/**
 * Share of random extra delay. It spreads the retries of deliveries that failed at the same time.
 */
const jitterShare = 0.1
const retryAfterMsMax = hourMs

/** An endpoint whose attempts have all failed for this time is disabled. */
export const disabledAfterMs = 5 * 24 * hourMs

/** Number of consecutive failures after which all deliveries of an endpoint pause. */
const failuresUntilPause = 5
const [pauseMsMin, pauseMsMax] = [30 * secondMs, 5 * minuteMs]

/**
 * Delay before the next attempt of a delivery after `tries` failures. Returns null if there is no
 * further attempt. `random` is from 0 to 1.
 */
export function retryDelayMs(tries: number, random: number): number | null {
  const delayMs = delaysMs[tries - 1]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + jitterShare * random))
}

/**
 * Duration of an endpoint's pause after this many consecutive failures. All its deliveries wait.
 * After the pause, one delivery tests whether the endpoint works again.
 */
export function pauseMs(failures: number): number {
  if (failures < failuresUntilPause) return 0
  return Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - failuresUntilPause))
}

/** Delay that a Retry-After header requests, up to a maximum. Returns 0 without a valid header. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(retryAfterMsMax, Math.max(0, seconds * 1000))
}

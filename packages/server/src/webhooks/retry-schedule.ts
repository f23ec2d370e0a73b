const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** Delays after failed attempts: ten attempts in about 76 hours. */
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
 * Share of random additional delay, which spreads the retries of deliveries that failed at the same
 * time.
 */
const jitterShare = 0.1
const retryAfterMsMax = hourMs

/** An endpoint is disabled if all attempts have failed for this long. */
export const disabledAfterMs = 5 * 24 * hourMs

/** Number of consecutive failures after which an endpoint is paused. */
const failuresUntilPause = 5
const [pauseMsMin, pauseMsMax] = [30 * secondMs, 5 * minuteMs]

/**
 * Returns the delay before the next attempt of a delivery that has failed `tries` times, or null if
 * it is not retried again. `random` is from 0 to 1.
 */
export function retryDelayMs(tries: number, random: number): number | null {
  const delayMs = delaysMs[tries - 1]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + jitterShare * random))
}

/**
 * Returns the duration of an endpoint's pause after this many consecutive failures. All of its
 * deliveries wait. After the pause, one delivery tests whether the endpoint works again.
 */
export function pauseMs(failures: number): number {
  if (failures < failuresUntilPause) return 0
  return Math.min(pauseMsMax, pauseMsMin * 2 ** (failures - failuresUntilPause))
}

/**
 * Returns the delay that a Retry-After header requests, up to a maximum, and 0 without a valid
 * header.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(retryAfterMsMax, Math.max(0, seconds * 1000))
}

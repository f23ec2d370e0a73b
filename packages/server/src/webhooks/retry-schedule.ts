const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** Delays after failed attempts: ten attempts, spread over about 76 hours without the jitter. */
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
 * Maximum random additional delay, relative to the delay. It spreads the retries of deliveries that
 * failed at the same time.
 */
const jitterShare = 0.1
const retryAfterMsMax = hourMs

/** Maximum delay before an attempt of a delivery. */
export const deliveryDelayMsMax = Math.ceil(Math.max(...delaysMs) * (1 + jitterShare))

/** An endpoint is disabled after all of its attempts have failed for this time. */
export const disabledAfterMs = 5 * 24 * hourMs

/** Minimum number of consecutive failures after which an endpoint is paused. */
const failuresUntilPause = 5
const [pauseMsMin, pauseMsMax] = [30 * secondMs, 5 * minuteMs]

/** Maximum duration of an endpoint's pause. */
export const pauseDurationMsMax = Math.max(pauseMsMax, retryAfterMsMax)

/**
 * Returns the delay before the next attempt of a delivery that has failed `tries` times, or null if
 * the delivery is not retried again. `random` is in [0, 1).
 */
export function retryDelayMs(tries: number, random: number): number | null {
  const delayMs = delaysMs[tries - 1]
  return delayMs === undefined ? null : Math.round(delayMs * (1 + jitterShare * random))
}

/**
 * Returns the duration of an endpoint's pause after this many consecutive failures, or 0. All
 * deliveries of the endpoint wait. After the pause, one delivery tests whether the endpoint works
 * again.
 */
export function pauseMs(failureCount: number): number {
  if (failureCount < failuresUntilPause) return 0
  return Math.min(pauseMsMax, pauseMsMin * 2 ** (failureCount - failuresUntilPause))
}

/**
 * Returns the delay that a Retry-After header requests, at most one hour. Returns 0 without a valid
 * header.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(retryAfterMsMax, Math.max(0, seconds * 1000))
}

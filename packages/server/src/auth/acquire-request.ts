import type { RequestBucket } from './request-bucket.ts'

/** State of the rate limit after a request. */
export interface RateLimitState {
  isAllowed: boolean
  /** Number of requests that may follow immediately. */
  remaining: number
  /** Seconds until the bucket is full again, rounded up. */
  resetSeconds: number
}

/**
 * Takes the token of one request from a bucket. A bucket holds up to `perSecondMax` tokens. An
 * empty one is refilled steadily within a second. A client may use all tokens at the same moment,
 * so up to twice `perSecondMax` requests may pass within one second. `nowMs` is the time of this
 * request.
 */
export function acquireRequest(bucket: RequestBucket, nowMs: number, perSecondMax: number): RateLimitState {
  const msPerRequest = 1000 / perSecondMax
  for (;;) {
    const previousFullAtMs = bucket.readFullAtMs()
    // A bucket is full within a second, even if the clock was set back or the limit was changed.
    const fullAtMs = Math.min(Math.max(previousFullAtMs, nowMs), nowMs + 1000)
    const isAllowed = nowMs + 1000 - fullAtMs >= msPerRequest - roundingMs
    const nextFullAtMs = isAllowed ? fullAtMs + msPerRequest : fullAtMs
    if (!bucket.replaceFullAtMs(previousFullAtMs, nextFullAtMs)) continue
    const untilFullMs = Math.max(0, nextFullAtMs - nowMs)
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((1000 - untilFullMs + roundingMs) / msPerRequest)),
      resetSeconds: Math.ceil((untilFullMs - roundingMs) / 1000),
    }
  }
}

/** Tolerance for rounding errors: a double is exact to less than this for Unix milliseconds. */
const roundingMs = 0.001

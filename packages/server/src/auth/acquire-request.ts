import type { RequestBucket } from './request-bucket.ts'

/** State of the rate limit after a request. */
export interface RateLimitState {
  isAllowed: boolean
  /** Number of requests that may follow immediately. */
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/**
 * Rate limiter with a token bucket of one second's requests, which is refilled steadily. A client
 * may send all of them at the same moment, so up to twice `perSecondMax` requests may pass within
 * one second. `nowMs` is the time of this request.
 */
export function acquireRequest(bucket: RequestBucket, nowMs: number, perSecondMax: number): RateLimitState {
  const msPerRequest = 1000 / perSecondMax
  for (;;) {
    const previous = bucket.readFullAtMs()
    // An empty bucket is full a second later, even if the clock was set back or the limit was changed.
    const fullAtMs = Math.min(Math.max(previous, nowMs), nowMs + 1000)
    const isAllowed = nowMs + 1000 - fullAtMs >= msPerRequest - roundingMs
    const next = isAllowed ? fullAtMs + msPerRequest : fullAtMs
    if (!bucket.replaceFullAtMs(previous, next)) continue
    const emptyMs = Math.max(0, next - nowMs)
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((1000 - emptyMs + roundingMs) / msPerRequest)),
      resetSeconds: Math.ceil((emptyMs - roundingMs) / 1000),
    }
  }
}

/** Times in milliseconds since 1970 are exact to this fraction of a millisecond. */
const roundingMs = 0.001

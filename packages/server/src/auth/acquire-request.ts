import type { KeyActivity } from './principal.ts'

/** State of the rate limit after a request. */
export interface RateLimitState {
  isAllowed: boolean
  /** Number of requests that may follow immediately. */
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/**
 * Rate limiter. Its token bucket holds the requests of one second and is refilled steadily. A
 * client may use all of these requests at once, so that up to twice `perSecondMax` requests may
 * pass within one second. `activity.atMs` is the time of this request.
 */
export function acquireRequest(activity: KeyActivity, perSecondMax: number): RateLimitState {
  const filled = activity.requests + ((activity.atMs - activity.filledMs) / 1000) * perSecondMax
  activity.requests = Math.min(perSecondMax, Math.max(activity.requests, filled))
  activity.filledMs = activity.atMs
  const isAllowed = activity.requests >= 1
  if (isAllowed) activity.requests -= 1
  return {
    isAllowed,
    remaining: Math.floor(activity.requests),
    resetSeconds: Math.ceil((perSecondMax - activity.requests) / perSecondMax),
  }
}

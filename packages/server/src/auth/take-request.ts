import type { KeyUse } from './principal.ts'

/** State of the rate limit after a request. */
export interface RequestTaken {
  isAllowed: boolean
  /** Number of requests that may follow immediately. */
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/**
 * Rate limiter. Its token bucket holds the requests of one second and is refilled steadily. A
 * client may use all of these requests at once, so that up to twice `perSecondMax` requests may
 * pass within one second. `use.atMs` is the time of this request.
 */
export function takeRequest(use: KeyUse, perSecondMax: number): RequestTaken {
  const filled = use.requests + ((use.atMs - use.filledMs) / 1000) * perSecondMax
  use.requests = Math.min(perSecondMax, Math.max(use.requests, filled))
  use.filledMs = use.atMs
  const isAllowed = use.requests >= 1
  if (isAllowed) use.requests -= 1
  return {
    isAllowed,
    remaining: Math.floor(use.requests),
    resetSeconds: Math.ceil((perSecondMax - use.requests) / perSecondMax),
  }
}

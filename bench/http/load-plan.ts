import type { RequestText } from './requests.ts'

export interface LoadPlan {
  port: number
  requests: readonly RequestText[]
  connections: number
  seconds: number
  /** Maximum number of requests. Only the load over plain sockets supports it. */
  requestsMax?: number | undefined
  /**
   * Rate of the load in req/s. It falls below this rate while every connection waits for a response.
   * Default: each connection sends its next request as soon as it has a response. Only the load over
   * plain sockets supports it.
   */
  perSecond?: number
}

/**
 * Results that the clients measured. `failed` is the number of missing responses and of responses
 * other than 2xx.
 */
export interface LoadResult {
  responses: number
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

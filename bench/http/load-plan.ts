import type { RequestText } from './requests.ts'

export interface LoadPlan {
  port: number
  requests: readonly RequestText[]
  connections: number
  seconds: number
  /** Request limit. Only the load by plain sockets supports it. */
  requestsMax?: number | undefined
}

/**
 * Results from the clients' view. `failed` counts every response other than 2xx and every missing
 * response.
 */
export interface LoadResult {
  responses: number
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

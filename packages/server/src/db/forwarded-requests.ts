import type { CreditsRefusal, RouteGrant } from './task-queue.ts'

/**
 * Forwarded requests: requests for models that are priced by tokens, which the service sends on to
 * an upstream. Each holds its price and two slots (capacity for one request), one of its route and
 * one of its upstream, and ends once:
 *
 *   hold -> (move to another route)* -> end
 *
 * The process that forwards a request renews a lease on it. When the lease has expired, any process
 * may end the request. It is unknown how much of the response was delivered, so the hold is
 * released without a charge.
 */
export interface ForwardedRequests {
  /** Holds the price of the request and takes its slots, both or neither. */
  holdForwarded(request: NewForwardedRequest): Promise<HoldOutcome>
  /**
   * Frees the slots that the request holds, and takes slots of another route. Returns false and
   * changes nothing if that route is paused or has no free slot, or if the request has ended.
   */
  moveForwarded(no: number, route: ForwardRoute): Promise<boolean>
  /**
   * Returns false if the request has already ended, or if the outcome of `end` is `abandoned` and
   * the lease of the request has not expired.
   */
  endForwarded(no: number, end: ForwardedEnd): Promise<boolean>
  /** Renews the leases of all requests of the process `owner` that have not ended. */
  renewForwarded(owner: string, leaseMs: number): Promise<void>
  /**
   * Ends at most `abandonedPerBatchMax` requests whose lease has expired, except those of the process
   * `activeOwner`. Returns their number.
   */
  endAbandonedRequests(activeOwner?: string): Promise<number>
}

/** A route for a request, with the slot pools in which the request takes slots. */
export type ForwardRoute = Pick<RouteGrant, 'snapshotNo'> & { pools: NonNullable<RouteGrant['pools']> }

export interface NewForwardedRequest {
  /** Number of the request. Requests and tasks share one series of numbers. */
  no: number
  /** `X-Request-Id` of the client's request. */
  requestId: string
  /** Identifies the process that forwards the request. */
  owner: string
  accountNo: number
  keyNo: number
  model: string
  /** Object of the model: `chat`, `embedding` or `moderation`. */
  object: string
  priceMicroCredits: number
  priceNo: number | null
  route: ForwardRoute
  leaseMs: number
}

export type HoldOutcome =
  | { kind: 'held' }
  /** The route is paused, or has no free slot. */
  | { kind: 'no_slot' }
  | Exclude<CreditsRefusal, { kind: 'too_many_in_flight' }>
  /**
   * The database is unavailable, or too many writes wait for it. `mayBeHeld`: the connection may
   * have been lost after the commit, so the caller must end the request when the database is
   * available again.
   */
  | { kind: 'unavailable'; mayBeHeld: boolean }

export interface ForwardedEnd {
  /** `abandoned`: the lease of the request has expired. */
  outcome: 'completed' | 'failed' | 'abandoned'
  /** Charge for the request. It is at most the hold. */
  chargeMicroCredits: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /**
   * Whether the upstream reported no token counts. The stored counts are then estimates, or 0 for
   * an abandoned request.
   */
  isEstimated: boolean
  /** The operator's cost. Null: unknown. */
  paidMicroCredits: number | null
}

/** The end of a request whose lease has expired. */
export const abandonedEnd: ForwardedEnd = {
  outcome: 'abandoned',
  chargeMicroCredits: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  isEstimated: true,
  paidMicroCredits: null,
}

/** Maximum number of requests that one call of `endAbandonedRequests` ends. */
export const abandonedPerBatchMax = 200

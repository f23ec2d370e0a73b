import type { CreditsRefusal, RouteGrant } from './task-queue.ts'

/**
 * Requests for token models. Each holds credits and the slots of a route, and ends once:
 *
 *   hold -> (move to another route)* -> end
 *
 * Its process renews a lease. A request whose process is gone is ended by any other: the whole hold
 * is returned, because nothing is known of what was delivered.
 */
export interface ForwardedRequests {
  /** Holds the price and takes the slots, or neither. */
  holdForwarded(request: NewForwardedRequest): Promise<HoldOutcome>
  /**
   * Gives back the slots that the request holds, and takes those of another route. False if that
   * route has no free slot; the request then keeps its slots.
   */
  moveForwarded(no: number, route: ForwardRoute): Promise<boolean>
  /** False if the request has ended before. */
  endForwarded(no: number, end: ForwardedEnd): Promise<boolean>
  /** Renews the leases of all requests of this process that have not ended. */
  renewForwarded(owner: string, leaseMs: number): Promise<void>
  /** Ends requests whose lease is over, some at a time. Returns their number. */
  endAbandoned(): Promise<number>
}

/** A route as a grant names it, with the pools that the request counts in. */
export type ForwardRoute = Pick<RouteGrant, 'snapshotNo'> & { pools: NonNullable<RouteGrant['pools']> }

export interface NewForwardedRequest {
  /** From the series of task numbers. */
  no: number
  /** `X-Request-Id` of the client's request. */
  requestId: string
  /** Identifies this process. */
  owner: string
  accountNo: number
  keyNo: number
  model: string
  object: string
  priceMicroCredits: number
  priceNo: number | null
  route: ForwardRoute
  leaseMs: number
}

export type HoldOutcome =
  | { kind: 'held' }
  /** The route has no free slot, or is paused. */
  | { kind: 'no_slot' }
  | Exclude<CreditsRefusal, { kind: 'too_many_in_flight' }>
  /** Nothing was held. */
  | { kind: 'unavailable' }

export interface ForwardedEnd {
  /** `abandoned`: by its process. */
  outcome: 'completed' | 'failed' | 'abandoned'
  /** At most the hold. */
  chargeMicroCredits: number
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** Whether the upstream reported no usage, so that the tokens are an estimate. */
  isEstimated: boolean
  /** The operator's cost; null: unknown. */
  paidMicroCredits: number | null
}

/** The end of a request of which nothing was delivered or is known. */
export const abandoned: ForwardedEnd = {
  outcome: 'abandoned',
  chargeMicroCredits: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  isEstimated: true,
  paidMicroCredits: null,
}

/** Number of abandoned requests that one call ends. */
export const abandonedAtOnceMax = 200

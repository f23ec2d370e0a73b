import type { RouteCondition } from '@framegate/contract'
import { isPausedUntil } from '../db/pool-pause.ts'
import type { PoolChange, PoolPause } from '../db/task-queue.ts'

/** Bounds of the delay that a provider requests by `Retry-After`, in milliseconds. */
const retryAfterMsMin = 1_000
const retryAfterMsMax = 10 * 60_000
/** Number of consecutive refusals after which an unavailable pool counts as out of order. */
const refusalsUntilOutOfOrder = 3
/**
 * Maximum random extension of a pause, as a share of its length. It prevents simultaneous retries
 * of all processes and routes.
 */
const jitterShare = 0.2

interface Backoff {
  initialMs: number
  maxMs: number
}

/** Backoff when the provider throttles without a `Retry-After`. */
const throttledBackoff: Backoff = { initialMs: 5_000, maxMs: 60_000 }
/** Minimum delay when the provider throttles repeatedly and sends a `Retry-After`. */
const retryAfterBackoff: Backoff = { initialMs: 1_000, maxMs: 60_000 }
const unavailableBackoff: Backoff = { initialMs: 1_000, maxMs: 5 * 60_000 }
/**
 * Backoff while the requests may have caused the errors. It is short, because it also delays the
 * requests of other clients.
 */
const suspectedBackoff: Backoff = { initialMs: 1_000, maxMs: 5_000 }
const outOfOrderBackoff: Backoff = { initialMs: 15_000, maxMs: 5 * 60_000 }

export type Pause = Extract<PoolChange, { kind: 'pause' }>

/** A refused submit or a failed probe, which pauses a pool: the slots of a route or an upstream. */
export type Refusal =
  /**
   * The provider asks the service to retry later. `retryAfterMs` is null if the provider sent no
   * `Retry-After`.
   */
  | { condition: 'throttled'; retryAfterMs: number | null }
  | { condition: 'unavailable'; retryAfterMs: number | null; mayConcernRequest?: boolean }
  /** A probe has confirmed that no request will work. */
  | { condition: 'out_of_order' }

/**
 * Returns the pause of a pool after a refusal. A refusal during a pause does not increase the
 * count, because its submit was sent before the pause. `random` is in [0, 1).
 */
export function pauseAfter(refusal: Refusal, current: PoolPause, nowMs: number, random: number): Pause {
  const isPaused = isPausedUntil(current.pausedUntilMs, nowMs)
  const refusals = isPaused ? Math.max(1, current.refusals) : current.refusals + 1
  const waitMs = waitMsOf(refusal, refusals) * (1 + jitterShare * random)
  return { kind: 'pause', untilMs: Math.ceil(nowMs + waitMs), refusals, condition: conditionOf(refusal, refusals) }
}

function waitMsOf(refusal: Refusal, refusals: number): number {
  if (refusal.condition === 'out_of_order') return backoffMs(outOfOrderBackoff, refusals)
  const { retryAfterMs } = refusal
  const boundedMs = retryAfterMs === null ? null : clampRetryAfter(retryAfterMs)
  if (refusal.condition === 'unavailable') {
    const backoff = refusal.mayConcernRequest === true ? suspectedBackoff : unavailableBackoff
    return Math.max(boundedMs ?? 0, backoffMs(backoff, refusals))
  }
  if (boundedMs === null) return backoffMs(throttledBackoff, refusals)
  return refusals === 1 ? boundedMs : Math.max(boundedMs, backoffMs(retryAfterBackoff, refusals))
}

/** Limits a `Retry-After` to the bounds that this service accepts. */
export function clampRetryAfter(retryAfterMs: number): number {
  return Math.min(retryAfterMsMax, Math.max(retryAfterMsMin, retryAfterMs))
}

function conditionOf({ condition }: Refusal, refusals: number): Exclude<RouteCondition, 'open'> {
  return condition === 'unavailable' && refusals >= refusalsUntilOutOfOrder ? 'out_of_order' : condition
}

function backoffMs({ initialMs, maxMs }: Backoff, refusals: number): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(refusals - 1, 20))
}

/** Returns the time until the first of these pauses ends, in whole seconds. At least 1. */
export function secondsUntilFirst(pauseEndsMs: readonly number[], nowMs: number): number {
  return pauseEndsMs.length === 0 ? 1 : Math.max(1, Math.ceil((Math.min(...pauseEndsMs) - nowMs) / 1000))
}

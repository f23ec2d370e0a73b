import { routeConditions, type RouteCondition } from '@framegate/contract'
import type { PoolChange, PoolPause } from './task-queue.ts'

/**
 * Longest time until the end of a pause. A `Retry-After` is followed for at most ten minutes,
 * lengthened by up to a fifth. The rest allows for clocks that differ.
 */
const pauseMsMax = 15 * 60_000

/**
 * Whether the pool is still paused. A pause that seems longer than `pauseMsMax` was written before
 * the clock was set back, so it counts as over.
 */
export function isPausedUntil(pausedUntilMs: number, nowMs: number): boolean {
  return nowMs < pausedUntilMs && pausedUntilMs <= nowMs + pauseMsMax
}

/**
 * The pause after a further refusal: the later end, the higher count and the worse condition of the
 * two. After the pause one attempt is tried before others.
 */
export function pausedBy(before: PoolPause, pause: Extract<PoolChange, { kind: 'pause' }>, nowMs: number): PoolPause {
  const { untilMs, refusals, condition } = pause
  return {
    pausedUntilMs: isPausedUntil(before.pausedUntilMs, nowMs) ? Math.max(before.pausedUntilMs, untilMs) : untilMs,
    unconfirmedMax: 1,
    refusals: Math.max(before.refusals, refusals),
    condition: severity(condition) > severity(before.condition) ? condition : before.condition,
  }
}

function severity(condition: RouteCondition): number {
  return routeConditions.indexOf(condition)
}

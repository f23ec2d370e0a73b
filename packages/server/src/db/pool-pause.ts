import { routeConditions, type RouteCondition } from '@framegate/contract'
import type { PoolChange, PoolPause } from './task-queue.ts'

/**
 * Maximum length of a pause. A pause lasts at most ten minutes plus a random fifth
 * (`routing/pause.ts`). The other three minutes allow for differences between clocks.
 */
const pauseMsMax = 15 * 60_000

/**
 * Whether the slot pool of a route or an upstream is still paused. A pause that would end later
 * than `pauseMsMax` from now was written before the clock was set back, so it counts as over.
 */
export function isPausedUntil(pausedUntilMs: number, nowMs: number): boolean {
  return nowMs < pausedUntilMs && pausedUntilMs <= nowMs + pauseMsMax
}

/**
 * Combines the current pause with a new one after a refusal. The later end, the higher `refusals`
 * and the worse `condition` apply. After the pause, a second attempt starts only when the upstream
 * has accepted or rejected the first one (`unconfirmedMax: 1`).
 */
export function applyPause(current: PoolPause, pause: Extract<PoolChange, { kind: 'pause' }>, nowMs: number): PoolPause {
  const { untilMs, refusals, condition } = pause
  return {
    pausedUntilMs: isPausedUntil(current.pausedUntilMs, nowMs) ? Math.max(current.pausedUntilMs, untilMs) : untilMs,
    unconfirmedMax: 1,
    refusals: Math.max(current.refusals, refusals),
    condition: severityOf(condition) > severityOf(current.condition) ? condition : current.condition,
  }
}

function severityOf(condition: RouteCondition): number {
  return routeConditions.indexOf(condition)
}

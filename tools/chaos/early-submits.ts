import { isOverlapped, type FaultPeriod } from './faults.ts'
import { nameOf } from './judge-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'
import { routeTo } from './routing.ts'

/** Commits and requests that were under way when the refusal was recorded may take this long. */
const graceMs = 250
/** Timers may fire early by a few milliseconds. */
const timerMs = 20

export interface EarlySubmits {
  found: string[]
  /** Refusals with Retry-After that were sent. */
  refusals: number
  /** Those that the database recorded before their pause was over: only these can be checked. */
  checked: number
}

/**
 * Submits for a route that arrived while a Retry-After of that route held.
 *
 * The pause counts from when the upstream began to send the 429, so it ends no later than by the
 * clock of the service. It binds from when the refused attempt has its end in the database, and 250
 * ms after that: a refusal that was lost on its way or that died with its process binds nobody. A
 * submit counts when its attempt was started after that moment. Look-ups of a lost job by its key,
 * and pauses that a fault of the database or a stopped process met, do not count.
 */
export function findEarlySubmits(submits: readonly MatchedSubmit[], faults: readonly FaultPeriod[]): EarlySubmits {
  const found: string[] = []
  const pauses = new Map<string, { fromMs: number; untilMs: number; after: string }[]>()
  let [refusals, checked] = [0, 0]
  for (const { submit, attempt } of submits) {
    const { refusal } = submit
    if (refusal === null || refusal.sentAtMs === null) continue
    refusals++
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    if (submit.isRepeat || attempt === undefined || attempt.endedAtMs === null) continue
    const fromMs = Math.max(refusal.sentAtMs, attempt.endedAtMs) + graceMs
    const untilMs = refusal.beganAtMs + refusal.retryAfterMs - timerMs
    if (fromMs >= untilMs || faults.some((fault) => slowsCommits(fault) && isOverlapped(fault, refusal.beganAtMs, untilMs)))
      continue
    checked++
    pauses.set(route, [...(pauses.get(route) ?? []), { fromMs, untilMs, after: nameOf(attempt) }])
  }
  for (const { submit, attempt } of submits) {
    if (submit.isRepeat || attempt === undefined) continue
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    const sentAtMs = Math.min(submit.connectedAtMs, submit.arrivedAtMs)
    const pause = pauses
      .get(route)
      ?.find(({ fromMs, untilMs }) => attempt.startedAtMs > fromMs && sentAtMs > fromMs && submit.arrivedAtMs < untilMs)
    if (pause === undefined) continue
    found.push(
      `${nameOf(attempt)} on ${route}: ${Math.round(pause.untilMs - submit.arrivedAtMs)} ms before the end of the pause after ${pause.after}`,
    )
  }
  return { found, refusals, checked }
}

function slowsCommits({ kind }: FaultPeriod): boolean {
  return kind.startsWith('database') || kind === 'pause' || kind === 'upstream stall'
}

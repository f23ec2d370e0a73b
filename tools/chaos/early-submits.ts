import { isOverlapped, type FaultPeriod } from './faults.ts'
import { attemptName } from './check-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'
import { routeTo } from './routing.ts'

/** Tolerance for commits and requests in flight when the throttling was recorded. */
const graceMs = 250
/** Timers may fire a few milliseconds early. */
const timerMs = 20

export interface EarlySubmits {
  /** Descriptions of the early submits. */
  found: string[]
  /** Number of responses with Retry-After that an upstream has sent. */
  refusals: number
  /**
   * Number of these responses that the service recorded before the requested pause was over. Only
   * the submits during these pauses can be checked.
   */
  checked: number
}

/**
 * Finds submits for a route that arrived during a pause that a Retry-After had requested.
 *
 * - The pause is measured from when the upstream begins to send the response with status 429. It
 *   therefore never ends later than the service assumes.
 * - The check begins 250 ms after the end of the throttled attempt was recorded in the database.
 *   Without this record, for example because the response was lost or the process was killed, the
 *   pause is not checked.
 * - A submit counts if it was sent, and its attempt started, after that time. Look-ups of a lost job
 *   by its key do not count.
 * - Pauses that overlap a database fault, a paused process or a stalled connection to an upstream
 *   are not checked.
 */
export function findEarlySubmits(submits: readonly MatchedSubmit[], faults: readonly FaultPeriod[]): EarlySubmits {
  const earlySubmits: string[] = []
  const pauses = new Map<string, { fromMs: number; untilMs: number; after: string }[]>()
  let [refusals, checked] = [0, 0]
  for (const { submit, attempt } of submits) {
    const { refusal } = submit
    if (refusal === null || refusal.sentAtMs === null) continue
    refusals++
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    if (submit.isRepeat || attempt === undefined || attempt.endedAtMs === null) continue
    const fromMs = Math.max(refusal.sentAtMs, attempt.endedAtMs) + graceMs
    const untilMs = refusal.sendingStartedAtMs + refusal.retryAfterMs - timerMs
    if (
      fromMs >= untilMs ||
      faults.some((fault) => delaysRecording(fault) && isOverlapped(fault, refusal.sendingStartedAtMs, untilMs))
    )
      continue
    checked++
    pauses.set(route, [...(pauses.get(route) ?? []), { fromMs, untilMs, after: attemptName(attempt) }])
  }
  for (const { submit, attempt } of submits) {
    if (submit.isRepeat || attempt === undefined) continue
    const route = routeTo(submit.upstream, submit.model)?.name ?? ''
    const sentAtMs = Math.min(submit.connectedAtMs, submit.arrivedAtMs)
    const pause = pauses
      .get(route)
      ?.find(({ fromMs, untilMs }) => attempt.startedAtMs > fromMs && sentAtMs > fromMs && submit.arrivedAtMs < untilMs)
    if (pause === undefined) continue
    earlySubmits.push(
      `${attemptName(attempt)} on ${route}: ${Math.round(pause.untilMs - submit.arrivedAtMs)} ms before the end of the pause after ${pause.after}`,
    )
  }
  return { found: earlySubmits, refusals, checked }
}

function delaysRecording({ kind }: FaultPeriod): boolean {
  return kind.startsWith('database') || kind === 'pause' || kind === 'upstream stall'
}

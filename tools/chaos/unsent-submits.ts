import { isOverlapped, type FaultPeriod } from './faults.ts'
import { attemptName, type StoredAttempt } from './check-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'

/** Time within which a process without faults sends the submit of a stored attempt. */
const sendingMsMax = 2_000
/** Tolerance for timestamps that are taken slightly before or after the event. */
const slackMs = 100

export interface UnsentSubmits {
  /**
   * Descriptions of attempts that no fault explains, and of interrupted ones above
   * `interruptedMax`.
   */
  found: string[]
  /** Number of attempts that were given up and whose submit never arrived. */
  total: number
  /** Number of these attempts that ran while a network fault to an upstream was in effect. */
  duringNetworkFault: number
  /**
   * Number of the other attempts that were started just before a fault of a process or of the
   * database.
   */
  interrupted: number
  /** Allowed number of interrupted attempts. */
  interruptedMax: number
}

/**
 * Finds attempts that were given up as lost (`lost_reply`) although no submit for them ever
 * arrived.
 *
 * A network fault can cause such an attempt. A fault of a process or of the database can also cause
 * one, in the milliseconds between storing an attempt and sending the first byte of its submit. At
 * most one such attempt is allowed per fault. Far fewer are likely.
 */
export function findUnsentSubmits(
  attempts: readonly StoredAttempt[],
  submits: readonly MatchedSubmit[],
  faults: readonly FaultPeriod[],
): UnsentSubmits {
  const arrived = new Set(submits.flatMap(({ attempt }) => (attempt === undefined ? [] : [attemptName(attempt)])))
  const unsentAttempts = attempts.filter((attempt) => attempt.unresolved === 'lost_reply' && !arrived.has(attemptName(attempt)))
  const overlapsFault = (isRelevant: (fault: FaultPeriod) => boolean, { startedAtMs }: StoredAttempt, untilMs: number): boolean =>
    faults.some((fault) => isRelevant(fault) && isOverlapped(fault, startedAtMs - slackMs, untilMs + slackMs))
  const uncut = unsentAttempts.filter((attempt) => !overlapsFault(cutsUpstreams, attempt, attempt.endedAtMs ?? Infinity))
  const interrupted = uncut.filter((attempt) => overlapsFault(interruptsProcess, attempt, attempt.startedAtMs + sendingMsMax))
  const interruptedMax = faults.filter(interruptsProcess).length
  const unexplained = uncut.filter((attempt) => !interrupted.includes(attempt))
  const unsent = [...unexplained, ...interrupted.slice(interruptedMax)]
  return {
    found: unsent.map(
      (attempt) => `${attemptName(attempt)} on ${attempt.route}, started ${new Date(attempt.startedAtMs).toISOString()}`,
    ),
    total: unsentAttempts.length,
    duringNetworkFault: unsentAttempts.length - uncut.length,
    interrupted: interrupted.length,
    interruptedMax,
  }
}

function cutsUpstreams({ kind }: FaultPeriod): boolean {
  return kind === 'upstream cut' || kind === 'upstream stall' || kind === 'upstream refusal'
}

function interruptsProcess({ kind }: FaultPeriod): boolean {
  return kind === 'kill' || kind === 'pause' || kind.startsWith('database')
}

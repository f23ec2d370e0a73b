import { isOverlapped, type FaultPeriod } from './faults.ts'
import { nameOf, type StoredAttempt } from './judge-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'

/** A healthy process sends a submit within this time after committing that it will. */
const sendingMsMax = 2_000
/** Tolerance for clocks that are read a little before or after the event. */
const slackMs = 100

export interface NeverSent {
  /** Attempts that no fault explains, or more of them than faults can explain. */
  found: string[]
  /** Attempts that were given up without a submit having arrived. */
  all: number
  /** Those during which a network fault to an upstream was in effect. */
  cut: number
  /** Those that were started just before a fault of a process or of the database. */
  interrupted: number
  /** Allowed number of interrupted attempts. */
  interruptedMax: number
}

/**
 * Attempts that were given up as lost (`lost_reply`) although no submit for them ever arrived.
 *
 * Requests that were cut in the network are expected among them. A process may also die between the
 * commit before a submit and the first byte of the submit. That window lasts milliseconds. One
 * attempt per such fault, on average, is far above chance and is therefore allowed.
 */
export function findNeverSent(
  attempts: readonly StoredAttempt[],
  submits: readonly MatchedSubmit[],
  faults: readonly FaultPeriod[],
): NeverSent {
  const arrived = new Set(submits.flatMap(({ attempt }) => (attempt === undefined ? [] : [nameOf(attempt)])))
  const all = attempts.filter((attempt) => attempt.unresolved === 'lost_reply' && !arrived.has(nameOf(attempt)))
  const during = (kinds: (fault: FaultPeriod) => boolean, { startedAtMs }: StoredAttempt, untilMs: number): boolean =>
    faults.some((fault) => kinds(fault) && isOverlapped(fault, startedAtMs - slackMs, untilMs + slackMs))
  const uncut = all.filter((attempt) => !during(cutsUpstreams, attempt, attempt.endedAtMs ?? Infinity))
  const interrupted = uncut.filter((attempt) => during(interrupts, attempt, attempt.startedAtMs + sendingMsMax))
  const interruptedMax = faults.filter(interrupts).length
  const unexplained = uncut.filter((attempt) => !interrupted.includes(attempt))
  const found = [...unexplained, ...interrupted.slice(interruptedMax)]
  return {
    found: found.map(
      (attempt) => `${nameOf(attempt)} on ${attempt.route}, started ${new Date(attempt.startedAtMs).toISOString()}`,
    ),
    all: all.length,
    cut: all.length - uncut.length,
    interrupted: interrupted.length,
    interruptedMax,
  }
}

function cutsUpstreams({ kind }: FaultPeriod): boolean {
  return kind === 'upstream cut' || kind === 'upstream stall' || kind === 'upstream refusal'
}

function interrupts({ kind }: FaultPeriod): boolean {
  return kind === 'kill' || kind === 'pause' || kind.startsWith('database')
}

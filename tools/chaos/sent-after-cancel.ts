import type { KnownTask } from './clients.ts'
import { isOverlapped, type FaultPeriod } from './faults.ts'
import { nameOf } from './judge-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'

/**
 * Tolerance for a request that was in flight when the client received the response to its cancel.
 */
const graceMs = 2_000

/**
 * Submits for tasks whose cancellation had been confirmed to the client more than two seconds
 * before.
 *
 * A connection that the upstream accepted before that time belongs to a submit that was in flight.
 * Look-ups of a lost job repeat its submit, so a repeated key does not count, and neither does a
 * key whose first submit a fault may have kept from arriving. A process that was stopped while
 * sending, and a reused connection that was stalled, say nothing about the decision to send.
 */
export function findSentAfterCancel(
  submits: readonly MatchedSubmit[],
  tasks: readonly KnownTask[],
  faults: readonly FaultPeriod[],
): string[] {
  const cancelledAtMs = new Map(tasks.map(({ key, cancelledAtMs: atMs }) => [key, atMs]))
  return submits.flatMap(({ submit, attempt }) => {
    const sinceMs = cancelledAtMs.get(submit.prompt) ?? Infinity
    if (submit.connectedAtMs - sinceMs <= graceMs || sinceMs === Infinity || submit.isRepeat) return []
    const startedAtMs = attempt?.startedAtMs ?? sinceMs
    const isExcused = faults.some((fault) => {
      if (fault.kind === 'pause' || (fault.kind === 'upstream stall' && submit.isReused))
        return isOverlapped(fault, sinceMs, submit.connectedAtMs)
      return submit.key !== null && keepsFromArriving(fault) && isOverlapped(fault, startedAtMs, submit.connectedAtMs)
    })
    if (isExcused) return []
    const name = attempt === undefined ? submit.prompt : nameOf(attempt)
    return [`${name} at ${submit.upstream}: ${Math.round(submit.connectedAtMs - sinceMs)} ms after its cancel was confirmed`]
  })
}

function keepsFromArriving({ kind }: FaultPeriod): boolean {
  return kind.startsWith('upstream') || kind === 'kill' || kind === 'terminate' || kind === 'rolling restart'
}

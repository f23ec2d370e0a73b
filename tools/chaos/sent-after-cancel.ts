import type { KnownTask } from './clients.ts'
import { isOverlapped, type FaultPeriod } from './faults.ts'
import { attemptName } from './check-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'

/**
 * Tolerance for a request that was in flight when the client received the response to its cancel.
 */
const graceMs = 2_000

/**
 * Finds submits of tasks whose cancel had been confirmed to the client more than two seconds
 * before, and returns a description of each.
 *
 * These submits are not reported:
 * - submits on a connection that the upstream accepted within these two seconds or earlier, because
 *   they were already in flight
 * - repeated submits with a known key, because the service uses them to look up a lost job
 * - submits with a key after a fault that may have stopped an earlier submit with the same key,
 *   because they may be such look-ups
 * - submits of a paused process or on a stalled reused connection, because their time of arrival
 *   does not show when they were sent
 */
export function findSentAfterCancel(
  submits: readonly MatchedSubmit[],
  tasks: readonly KnownTask[],
  faults: readonly FaultPeriod[],
): string[] {
  const cancelledAtMs = new Map(tasks.map(({ key, cancelledAtMs: confirmedAtMs }) => [key, confirmedAtMs]))
  return submits.flatMap(({ submit, attempt }) => {
    const cancelledMs = cancelledAtMs.get(submit.prompt) ?? Infinity
    if (submit.connectedAtMs - cancelledMs <= graceMs || cancelledMs === Infinity || submit.isRepeat) return []
    const startedAtMs = attempt?.startedAtMs ?? cancelledMs
    const isExcused = faults.some((fault) => {
      if (fault.kind === 'pause' || (fault.kind === 'upstream stall' && submit.isReused))
        return isOverlapped(fault, cancelledMs, submit.connectedAtMs)
      return submit.key !== null && preventsArrival(fault) && isOverlapped(fault, startedAtMs, submit.connectedAtMs)
    })
    if (isExcused) return []
    const name = attempt === undefined ? submit.prompt : attemptName(attempt)
    return [`${name} at ${submit.upstream}: ${Math.round(submit.connectedAtMs - cancelledMs)} ms after its cancel was confirmed`]
  })
}

function preventsArrival({ kind }: FaultPeriod): boolean {
  return kind.startsWith('upstream') || kind === 'kill' || kind === 'terminate' || kind === 'rolling restart'
}

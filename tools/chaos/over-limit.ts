import { attemptName, type StoredAttempt } from './check-jobs.ts'
import type { MatchedSubmit } from './match-submits.ts'
import { routeTo, trialUpstreams } from './routing.ts'
import type { UpstreamJob } from './upstream-jobs.ts'

interface OpenJob {
  job: UpstreamJob
  attempt: StoredAttempt
  route: string
}

/**
 * Finds submits that an upstream accepted although `in_flight_max` of the upstream or of the route
 * had already been reached, and returns a description of each.
 *
 * A job counts while it runs upstream, if its attempt is open or has a stored operation (the job
 * id). With the job id, the service can poll the job, and must wait for its end. Jobs of attempts
 * that were given up as lost do not count, and neither do jobs whose attempt is unknown. A submit
 * that arrived after the end of its attempt was delayed in transit. It is not a violation, because
 * the attempt had freed its slot.
 */
export function findSubmitsOverLimit(submits: readonly MatchedSubmit[]): string[] {
  const violations: string[] = []
  const jobsByUpstream = new Map<string, OpenJob[]>()
  for (const { submit, attempt } of submits) {
    const { upstream, job, arrivedAtMs: nowMs } = submit
    if (job === null || attempt === undefined) continue
    const route = routeTo(upstream, submit.model)
    const upstreamMax = trialUpstreams.find(({ name }) => name === upstream)?.inFlightMax ?? Infinity
    if (route === undefined) continue
    const runningJobs = (jobsByUpstream.get(upstream) ?? []).filter((running) => running.job.endsAtMs > nowMs)
    jobsByUpstream.set(upstream, runningJobs)
    const slotJobs = runningJobs.filter((running) => holdsSlot(running.attempt, nowMs))
    const slotJobsOfRoute = slotJobs.filter((running) => running.route === route.name)
    runningJobs.push({ job, attempt, route: route.name })
    if (!isOpen(attempt, nowMs)) continue
    const excess = [
      ...(slotJobs.length >= upstreamMax ? [{ pool: upstream, held: slotJobs, limit: upstreamMax }] : []),
      ...(slotJobsOfRoute.length >= (route.inFlightMax ?? Infinity)
        ? [{ pool: route.name, held: slotJobsOfRoute, limit: route.inFlightMax }]
        : []),
    ]
    if (excess.length > 0)
      violations.push(`${attemptName(attempt)} at ${new Date(nowMs).toISOString()}: ${excess.map(describe(nowMs)).join(' and ')}`)
  }
  return violations
}

function isOpen({ endedAtMs }: StoredAttempt, nowMs: number): boolean {
  return endedAtMs === null || nowMs < endedAtMs
}

function holdsSlot(attempt: StoredAttempt, nowMs: number): boolean {
  return isOpen(attempt, nowMs) || (attempt.operation_id !== null && attempt.unresolved !== 'lost_reply')
}

function describe(nowMs: number): (excess: { pool: string; held: readonly OpenJob[]; limit: number | null }) => string {
  return ({ pool, held, limit }) => {
    const endedCount = held.filter(({ attempt }) => !isOpen(attempt, nowMs)).length
    return `${pool} had ${held.length} of ${limit} in flight${endedCount === 0 ? '' : `, ${endedCount} of them of ended attempts`}`
  }
}

import type { HostileUpstream } from './hostile-upstream.ts'
import { attemptIdOf } from '../../packages/server/src/identity/attempt-id.ts'
import { upstreamOf } from './routing.ts'
import type { UpstreamJob } from './upstream-jobs.ts'

export interface StoredAttempt {
  taskId: string
  /** The client's idempotency key of the task, which is also the prompt. */
  key: string | null
  number: string
  state: string
  route: string
  startedAtMs: number
  /** Null while the attempt is running. */
  endedAtMs: number | null
  operation_id: string | null
  unresolved: string | null
  closing: string | null
}

/**
 * Compares the bills of the upstreams with the attempts. Each job must belong to one attempt. If
 * its operation was never stored, or it led to nothing that a client has paid for, the attempt must
 * be on the operator's list.
 */
export function judgeJobs(
  attempts: readonly StoredAttempt[],
  upstreams: readonly Pick<HostileUpstream, 'name' | 'protocol' | 'jobs'>[],
): Record<string, string[]> {
  const jobTwice: string[] = []
  const unknown: string[] = []
  const withoutJob: string[] = []
  const unaccounted: string[] = []

  for (const { name, protocol, jobs } of upstreams) {
    const ofUpstream = attempts.filter(({ route }) => upstreamOf(route) === name)
    const byOperation = new Map<string, StoredAttempt>()
    for (const attempt of ofUpstream) {
      if (attempt.operation_id === null) continue
      if (byOperation.has(attempt.operation_id)) jobTwice.push(`${nameOf(attempt)}: the job ${attempt.operation_id} of another`)
      byOperation.set(attempt.operation_id, attempt)
      if (jobs.find(attempt.operation_id) === undefined) withoutJob.push(`${nameOf(attempt)}: ${attempt.operation_id}`)
    }
    const byId = new Map(ofUpstream.map((attempt) => [nameOf(attempt), attempt]))
    /**
     * Attempts for which it is recorded as unknown whether they have a job. Each explains one job.
     */
    const listed = new Map<string, StoredAttempt[]>()
    for (const attempt of ofUpstream) {
      if (attempt.operation_id !== null || attempt.unresolved === null || attempt.closing !== null) continue
      const prompt = attempt.key ?? ''
      listed.set(prompt, [...(listed.get(prompt) ?? []), attempt])
    }
    for (const job of jobs.list()) {
      const attempt = byOperation.get(job.id)
      if (attempt !== undefined) {
        if (!isAccountedFor(attempt, job)) unaccounted.push(`${nameOf(attempt)} (${describe(attempt)}): ${job.id} ${job.state}`)
      } else if (protocol.hasKeys) {
        const its = byId.get(job.key ?? '')
        if (its === undefined) unknown.push(`${job.id} of ${job.key}: there is no such attempt`)
        else if (its.operation_id !== null) jobTwice.push(`${nameOf(its)}: ${its.operation_id} and ${job.id}`)
        else if (its.unresolved === null || its.closing !== null) unknown.push(`${nameOf(its)} (${describe(its)}): ${job.id}`)
      } else if (listed.get(job.prompt)?.pop() === undefined) {
        unknown.push(`${job.id} of ${job.prompt}: no attempt on the list`)
      }
    }
  }
  return {
    'attempts with two jobs, jobs with two attempts': jobTwice,
    'jobs that no attempt and no list knows of': unknown,
    'operations without a job': withoutJob,
    'jobs made, not charged for, and not on the list': unaccounted,
  }
}

/** Whether a billed job is paid by a client or visible to an operator. */
function isAccountedFor({ state, unresolved, closing }: StoredAttempt, job: UpstreamJob): boolean {
  if (job.state !== 'succeeded' || state === 'succeeded') return true
  return unresolved !== null && closing === null
}

function describe({ state, unresolved, closing }: StoredAttempt): string {
  return [state, unresolved, closing].filter((word) => word !== null).join(', ')
}

export function nameOf({ taskId, number }: StoredAttempt): string {
  return attemptIdOf(taskId, Number(number))
}

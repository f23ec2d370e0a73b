import type { FaultyUpstream } from './faulty-upstream.ts'
import { attemptIdOf } from '../../packages/server/src/identity/attempt-id.ts'
import { upstreamOf } from './routing.ts'
import type { UpstreamJob } from './upstream-jobs.ts'

export interface StoredAttempt {
  taskId: string
  /** The client's idempotency key for the task, which is also its prompt. */
  key: string | null
  number: string
  state: string
  route: string
  startedAtMs: number
  /**
   * Fence of the claim that sent the attempt: how many times a process had claimed the task. 0 if
   * the attempt was not sent. For the first attempt of a task, a fence above 1 means that an
   * earlier claim ended before it sent anything.
   */
  begunFence: number
  /** Null while the attempt is running. */
  endedAtMs: number | null
  operation_id: string | null
  unresolved: string | null
  closing: string | null
}

/**
 * Compares the jobs that upstreams bill with the attempts, and returns the violations by kind. Each
 * job must belong to one attempt. If the id of a job was never stored, or if no client has paid
 * for a succeeded job, the attempt must be on the operator's list of unresolved attempts.
 */
export function checkJobs(
  attempts: readonly StoredAttempt[],
  upstreams: readonly Pick<FaultyUpstream, 'name' | 'protocol' | 'jobs'>[],
): Record<string, string[]> {
  const ambiguousJobs: string[] = []
  const jobsWithoutEntry: string[] = []
  const operationsWithoutJob: string[] = []
  const jobsWithoutCharge: string[] = []

  for (const { name, protocol, jobs } of upstreams) {
    const attemptsAtUpstream = attempts.filter(({ route }) => upstreamOf(route) === name)
    const byOperation = new Map<string, StoredAttempt>()
    for (const attempt of attemptsAtUpstream) {
      if (attempt.operation_id === null) continue
      if (byOperation.has(attempt.operation_id))
        ambiguousJobs.push(`${attemptName(attempt)}: the job ${attempt.operation_id} belongs to another attempt too`)
      byOperation.set(attempt.operation_id, attempt)
      if (jobs.find(attempt.operation_id) === undefined)
        operationsWithoutJob.push(`${attemptName(attempt)}: ${attempt.operation_id}`)
    }
    const byId = new Map(attemptsAtUpstream.map((attempt) => [attemptName(attempt), attempt]))
    /**
     * Unresolved attempts without a stored job id, by prompt. It is unknown whether they started a
     * job, so each accounts for at most one job.
     */
    const unresolvedByPrompt = new Map<string, StoredAttempt[]>()
    for (const attempt of attemptsAtUpstream) {
      if (attempt.operation_id !== null || attempt.unresolved === null || attempt.closing !== null) continue
      const prompt = attempt.key ?? ''
      unresolvedByPrompt.set(prompt, [...(unresolvedByPrompt.get(prompt) ?? []), attempt])
    }
    for (const job of jobs.list()) {
      const attempt = byOperation.get(job.id)
      if (attempt !== undefined) {
        if (!isAccountedFor(attempt, job))
          jobsWithoutCharge.push(`${attemptName(attempt)} (${describeAttempt(attempt)}): ${job.id} ${job.state}`)
      } else if (protocol.hasKeys) {
        const attemptOfKey = byId.get(job.key ?? '')
        if (attemptOfKey === undefined) jobsWithoutEntry.push(`${job.id} of ${job.key}: there is no such attempt`)
        else if (attemptOfKey.operation_id !== null)
          ambiguousJobs.push(`${attemptName(attemptOfKey)}: ${attemptOfKey.operation_id} and ${job.id}`)
        else if (attemptOfKey.unresolved === null || attemptOfKey.closing !== null)
          jobsWithoutEntry.push(`${attemptName(attemptOfKey)} (${describeAttempt(attemptOfKey)}): ${job.id}`)
      } else if (unresolvedByPrompt.get(job.prompt)?.pop() === undefined) {
        jobsWithoutEntry.push(`${job.id} of ${job.prompt}: no attempt of this task is on the list`)
      }
    }
  }
  return {
    'attempts with two jobs, jobs with two attempts': ambiguousJobs,
    'jobs that belong to no attempt': jobsWithoutEntry,
    'operations without a job': operationsWithoutJob,
    'succeeded jobs without a charge or an unresolved attempt': jobsWithoutCharge,
  }
}

/**
 * Whether the job is accounted for: a client has paid for it, it needs no payment, or its attempt
 * is on the list of unresolved attempts.
 */
function isAccountedFor({ state, unresolved, closing }: StoredAttempt, job: UpstreamJob): boolean {
  if (job.state !== 'succeeded' || state === 'succeeded') return true
  return unresolved !== null && closing === null
}

function describeAttempt({ state, unresolved, closing }: StoredAttempt): string {
  return [state, unresolved, closing].filter((word) => word !== null).join(', ')
}

export function attemptName({ taskId, number }: StoredAttempt): string {
  return attemptIdOf(taskId, Number(number))
}

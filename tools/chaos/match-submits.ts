import type { Submit } from './faulty-upstream.ts'
import { attemptName, type StoredAttempt } from './check-jobs.ts'
import { routeTo, upstreamOf } from './routing.ts'

export interface MatchedSubmit {
  submit: Submit
  /** The attempt that sent the submit; undefined if no attempt in the database can have sent it. */
  attempt: StoredAttempt | undefined
}

/**
 * Finds the attempt of each submit, in order of arrival.
 *
 * - A submit with an idempotency key: the key is the attempt id.
 * - A submit without a key whose job id is stored as the operation of an attempt: this attempt.
 * - Any other submit: the prompt identifies the task. The submit belongs to the task's latest attempt
 *   on the same route that started before the submit arrived, because a task has one attempt at a
 *   time.
 */
export function matchSubmits(submits: readonly Submit[], attempts: readonly StoredAttempt[]): MatchedSubmit[] {
  const byId = new Map<string, StoredAttempt>()
  const byOperation = new Map<string, StoredAttempt>()
  const byPrompt = new Map<string, StoredAttempt[]>()
  for (const attempt of attempts) {
    byId.set(attemptName(attempt), attempt)
    if (attempt.operation_id !== null) byOperation.set(`${upstreamOf(attempt.route)} ${attempt.operation_id}`, attempt)
    const key = attempt.key ?? ''
    const sameKeyAttempts = byPrompt.get(key)
    if (sameKeyAttempts === undefined) byPrompt.set(key, [attempt])
    else sameKeyAttempts.push(attempt)
  }
  return submits
    .toSorted((left, right) => left.arrivedAtMs - right.arrivedAtMs)
    .map((submit) => {
      if (submit.key !== null) return { submit, attempt: byId.get(submit.key) }
      const attempt = submit.job === null ? undefined : byOperation.get(`${submit.upstream} ${submit.job.id}`)
      if (attempt !== undefined) return { submit, attempt }
      const route = routeTo(submit.upstream, submit.model)?.name
      const startedAttempts = (byPrompt.get(submit.prompt) ?? []).filter(
        (attempt) => attempt.route === route && attempt.startedAtMs <= submit.arrivedAtMs,
      )
      return { submit, attempt: startedAttempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs).at(-1) }
    })
}

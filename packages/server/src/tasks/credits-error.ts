import { creditsOf } from '../credits/micro-credits.ts'
import type { CreditsRefusal } from '../db/task-queue.ts'
import { AppError } from '../lib/app-error.ts'
import { unreachable } from '../lib/unreachable.ts'

/** Value of `Retry-After`: one polling interval, because it is unknown when a task will end. */
const retryAfterSeconds = '5'

export interface RefusedTasks {
  subject: 'task' | 'request'
  /** Number of tasks that the client's request creates. Default: 1. */
  taskCount?: number
  /** Number of these tasks that were created before the refused one, and hold credits. Default: 0. */
  createdCount?: number
}

/**
 * Returns the error for a task or request that the client's credits or limits do not permit.
 * `priceMicroCredits` is the price of one task. The message names the price of all tasks of the
 * client's request, and the credits that were available before the request.
 */
export function creditsError(
  refusal: CreditsRefusal,
  priceMicroCredits: number,
  { subject, taskCount = 1, createdCount = 0 }: RefusedTasks,
): AppError {
  const cost = `${costPhrase(subject, taskCount)} ${creditsOf(taskCount * priceMicroCredits)} credits`
  const heldMicroCredits = createdCount * priceMicroCredits
  switch (refusal.kind) {
    case 'insufficient_credits': {
      const balance = creditsOf(refusal.balanceMicroCredits + heldMicroCredits)
      return new AppError('insufficient_credits', `${cost} and the account has ${balance}.`)
    }
    case 'spending_limit': {
      const { period, maxMicroCredits, spentMicroCredits } = refusal
      const remaining = creditsOf(Math.max(0, maxMicroCredits - spentMicroCredits + heldMicroCredits))
      return new AppError(
        'spending_limit_reached',
        `${cost}, but this API key has only ${remaining} left of the ${creditsOf(maxMicroCredits)} that it ` +
          `may spend per ${period} (UTC).`,
      )
    }
    case 'too_many_in_flight':
      return tooManyInFlight(refusal, priceMicroCredits, taskCount)
    default:
      return unreachable(refusal)
  }
}

/** Returns the beginning of a sentence about a price. */
export function costPhrase(subject: 'task' | 'request', taskCount: number): string {
  if (taskCount > 1) return `The ${taskCount} tasks of this request cost`
  return subject === 'task' ? 'This task costs' : 'This request may cost'
}

const ownerNouns = { key: 'This API key', account: 'This account', brand: 'This service' }

/**
 * Returns the error with the headers of draft-ietf-httpapi-ratelimit-headers. The headers have no
 * window parameter, because a limit on concurrent tasks has no time window.
 */
function tooManyInFlight(
  { whose, limit, max }: Extract<CreditsRefusal, { kind: 'too_many_in_flight' }>,
  priceMicroCredits: number,
  taskCount: number,
): AppError {
  const owner = ownerNouns[whose]
  const quota = `"${whose}-${limit}-in-flight"`
  const maximum =
    limit === 'tasks'
      ? `${owner} may have at most ${max === 1 ? 'one task' : `${max} tasks`} queued or processing at the same time`
      : `${owner} may have at most ${creditsOf(max)} credits held at the same time`
  const totalMicroCredits = taskCount * priceMicroCredits
  const isTooLarge = taskCount > 1 && max < (limit === 'tasks' ? taskCount : totalMicroCredits)
  let reason: string
  if (isTooLarge)
    reason = `, and this request ${limit === 'tasks' ? `creates ${taskCount}` : `costs ${creditsOf(totalMicroCredits)}`}.`
  else if (limit === 'tasks') reason = '; wait for one to end.'
  else reason = `, and this task costs ${creditsOf(priceMicroCredits)}; wait for a task to end.`
  return new AppError('too_many_tasks_in_flight', maximum + reason, {
    headers: {
      'retry-after': retryAfterSeconds,
      'ratelimit-policy': `${quota};q=${Math.floor(limit === 'tasks' ? max : creditsOf(max))};qu="${limit}"`,
      ratelimit: `${quota};r=0`,
    },
  })
}

import { creditsOf } from '../credits/micro-credits.ts'
import type { CreditsRefusal } from '../db/task-queue.ts'
import { AppError } from '../lib/app-error.ts'
import { unreachable } from '../lib/unreachable.ts'

/** Value of `Retry-After`: one polling interval, because it is unknown when a task will end. */
const retryAfterSeconds = '5'

/** Returns the error for a task or request that the client's credits or limits do not permit. */
export function creditsError(refusal: CreditsRefusal, priceMicroCredits: number, subject: 'task' | 'request' = 'task'): AppError {
  const price = creditsOf(priceMicroCredits)
  switch (refusal.kind) {
    case 'insufficient_credits': {
      const balance = creditsOf(refusal.balanceMicroCredits)
      return new AppError('insufficient_credits', `${costPhrase(subject)} ${price} credits and the account has ${balance}.`)
    }
    case 'spending_limit': {
      const { period, maxMicroCredits, spentMicroCredits } = refusal
      const remaining = creditsOf(Math.max(0, maxMicroCredits - spentMicroCredits))
      return new AppError(
        'spending_limit_reached',
        `${costPhrase(subject)} ${price} credits, but this API key has only ${remaining} left of the ${creditsOf(maxMicroCredits)} that it ` +
          `may spend per ${period} (UTC).`,
      )
    }
    case 'too_many_in_flight':
      return tooManyInFlight(refusal, price)
    default:
      return unreachable(refusal)
  }
}

function costPhrase(subject: 'task' | 'request'): string {
  return subject === 'task' ? 'This task costs' : 'This request may cost'
}

const ownerNouns = { key: 'This API key', account: 'This account', brand: 'This service' }

/**
 * Returns the error with the headers of draft-ietf-httpapi-ratelimit-headers. The headers have no
 * window parameter, because a limit on concurrent tasks has no time window.
 */
function tooManyInFlight(
  { whose, limit, max }: Extract<CreditsRefusal, { kind: 'too_many_in_flight' }>,
  price: number,
): AppError {
  const owner = ownerNouns[whose]
  const quota = `"${whose}-${limit}-in-flight"`
  const message =
    limit === 'tasks'
      ? `${owner} may have at most ${max === 1 ? 'one task' : `${max} tasks`} queued or processing at the same time; wait for ` +
        'one to end.'
      : `${owner} may have at most ${creditsOf(max)} credits held at the same time, and this task costs ${price}; wait for a ` +
        'task to end.'
  return new AppError('too_many_tasks_in_flight', message, {
    headers: {
      'retry-after': retryAfterSeconds,
      'ratelimit-policy': `${quota};q=${Math.floor(limit === 'tasks' ? max : creditsOf(max))};qu="${limit}"`,
      ratelimit: `${quota};r=0`,
    },
  })
}

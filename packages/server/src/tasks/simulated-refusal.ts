import type { SimulatedRefusal } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'

const retryAfterSeconds = '1'

/** Examples of the rate limit headers of real refusals. */
const rateLimits: Partial<Record<SimulatedRefusal, Record<string, string>>> = {
  rate_limited: { 'ratelimit-policy': '"requests";q=10;w=1', ratelimit: '"requests";r=0;t=1' },
  too_many_tasks_in_flight: {
    'ratelimit-policy': '"key-tasks-in-flight";q=1;qu="tasks"',
    ratelimit: '"key-tasks-in-flight";r=0',
  },
}

/** Returns the error that the client has requested, with the headers of a real refusal. */
export function simulatedRefusal(code: SimulatedRefusal): AppError {
  const isTransient =
    code === 'rate_limited' || code === 'too_many_tasks_in_flight' || code === 'overloaded' || code === 'no_route'
  return new AppError(code, `This is the simulated error '${code}', as requested by simulate.refuse_with.`, {
    ...(code === 'idempotency_key_reused' && { param: 'Idempotency-Key' }),
    ...(isTransient && { headers: { 'retry-after': retryAfterSeconds, ...rateLimits[code] } }),
  })
}

import type { SimulatedRefusal } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'

const retryAfterSeconds = '1'

/** Example values of the rate limit headers that real errors have. */
const rateLimits: Partial<Record<SimulatedRefusal, Record<string, string>>> = {
  rate_limited: { 'ratelimit-policy': '"requests";q=10;w=1', ratelimit: '"requests";r=0;t=1' },
  too_many_tasks_in_flight: {
    'ratelimit-policy': '"key-tasks-in-flight";q=1;qu="tasks"',
    ratelimit: '"key-tasks-in-flight";r=0',
  },
}

/** Returns the error that the client requested, with the headers that the real error has. */
export function simulatedError(code: SimulatedRefusal): AppError {
  const isTransient =
    code === 'rate_limited' || code === 'too_many_tasks_in_flight' || code === 'overloaded' || code === 'no_route'
  return new AppError(code, `This is the simulated error '${code}', as requested by simulate.refuse_with.`, {
    ...(code === 'idempotency_key_reused' && { param: 'Idempotency-Key' }),
    ...(isTransient && { headers: { 'retry-after': retryAfterSeconds, ...rateLimits[code] } }),
  })
}

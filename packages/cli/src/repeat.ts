import { setTimeout as timer } from 'node:timers/promises'
import { ApiRefusal, ServerUnreachable } from './api-client.ts'

/** Passed in where requests are repeated, so that tests need not wait. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export const sleep: Pause = (ms, signal) => timer(ms, undefined, { signal })

/** True when the same request may well be answered later. */
export function isWorthRepeating(error: unknown): error is ApiRefusal | ServerUnreachable {
  return error instanceof ServerUnreachable || (error instanceof ApiRefusal && (error.status === 429 || error.status >= 500))
}

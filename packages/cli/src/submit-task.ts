import { randomUUID } from 'node:crypto'
import type { Task } from '@framegate/contract'
import { ApiRefusal, type ApiClient, type ServerUnreachable } from './api-client.ts'
import { isWorthRepeating, sleep, type Pause } from './repeat.ts'

const submitsMax = 4
const firstPauseSeconds = 1
const pauseSecondsMax = 30

export interface SubmitOptions {
  signal: AbortSignal
  say: (words: string) => void
  pause?: Pause
}

/**
 * Submits once, however often it has to be said: a lost answer or a busy server is asked again with the same
 * idempotency key, so the task is neither made nor billed twice.
 */
export async function submitTask(
  client: ApiClient,
  body: Record<string, unknown>,
  { signal, say, pause = sleep }: SubmitOptions,
): Promise<Task> {
  const idempotencyKey = randomUUID()
  for (let count = 1; ; count++) {
    try {
      return await client.submit(body, idempotencyKey)
    } catch (error) {
      if (count === submitsMax || !isWorthRepeating(error)) throw error
      const pauseSeconds = pauseSecondsAfter(error, count)
      say(`${error.message} The same request is sent again in ${pauseSeconds} s.`)
      await pause(pauseSeconds * 1000, signal)
    }
  }
}

function pauseSecondsAfter(error: ApiRefusal | ServerUnreachable, count: number): number {
  const asked = error instanceof ApiRefusal ? error.retryAfterSeconds : null
  return Math.min(asked ?? firstPauseSeconds * 2 ** (count - 1), pauseSecondsMax)
}

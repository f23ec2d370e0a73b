import type { Task } from '@framegate/contract'
import { expect, it } from 'vitest'
import { ApiRefusal, ServerUnreachable, type ApiClient } from './api-client.ts'
import { submitTask } from './submit-task.ts'

const accepted = { id: 'task_1', status: 'queued' } as Task

/** Submits to a server that answers in this order. */
async function submitTo(answers: (Task | Error)[]) {
  const keys: string[] = []
  const pausesMs: number[] = []
  const client: ApiClient = {
    baseUrl: 'http://framegate.test',
    async submit(_body, idempotencyKey) {
      keys.push(idempotencyKey)
      const answer = answers.shift() ?? new Error('asked too often')
      if (answer instanceof Error) throw answer
      return Promise.resolve(answer)
    },
    query: () => Promise.reject(new Error('queries nothing')),
    cancel: () => Promise.reject(new Error('cancels nothing')),
  }
  const outcome = await submitTask(
    client,
    {},
    {
      signal: new AbortController().signal,
      say: () => undefined,
      pause: async (ms) => void pausesMs.push(ms),
    },
  ).catch((error: unknown) => error)
  return { outcome, keys, pausesMs }
}

const lost = () => new ServerUnreachable('no answer')
const busy = (retryAfterSeconds: number | null) => new ApiRefusal(503, 'overloaded', 'busy', retryAfterSeconds)

it('says the same thing again with the same key, after as long as the server asks for', async () => {
  const { outcome, keys, pausesMs } = await submitTo([lost(), busy(7), busy(3600), accepted])
  expect(outcome).toBe(accepted)
  expect(new Set(keys).size).toBe(1)
  expect(pausesMs).toEqual([1_000, 7_000, 30_000])
})

it('gives up after four times, with the last reason', async () => {
  const { outcome, keys, pausesMs } = await submitTo([lost(), lost(), lost(), busy(null), accepted])
  expect(outcome).toMatchObject({ code: 'overloaded' })
  expect([keys.length, pausesMs]).toEqual([4, [1_000, 2_000, 4_000]])
})

it('never repeats what was refused', async () => {
  const { outcome, keys } = await submitTo([new ApiRefusal(402, 'insufficient_credits', 'too few', null), accepted])
  expect(outcome).toMatchObject({ code: 'insufficient_credits' })
  expect(keys).toHaveLength(1)
})

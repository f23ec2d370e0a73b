import type { Task } from '@framegate/contract'
import { expect, it } from 'vitest'
import { ApiRefusal, ServerUnreachable, type ApiClient } from './api-client.ts'
import { waitForTask, type WaitOptions } from './wait-for-task.ts'

const task = (status: Task['status'], progress = 0): Task => ({
  id: 'task_1',
  object: 'video',
  created: 0,
  model: 'm',
  status,
  progress,
  amount: 1,
  actualDuration: null,
  error: null,
})

type Answer = { task: Task; retryAfterSeconds: number | null } | Error

/** Follows a task on a server that answers at once, in this order. */
async function follow(answers: Answer[], overrides: Partial<WaitOptions> = {}) {
  const pausesMs: number[] = []
  const seen: string[] = []
  const client: ApiClient = {
    baseUrl: 'http://framegate.test',
    submit: () => Promise.reject(new Error('submits nothing')),
    cancel: () => Promise.reject(new Error('cancels nothing')),
    async query() {
      const answer = answers.shift() ?? new Error('asked too often')
      if (answer instanceof Error) throw answer
      return Promise.resolve(answer)
    },
  }
  const ended = waitForTask(client, task('queued'), {
    timeoutSeconds: 60,
    signal: new AbortController().signal,
    onTask: ({ status, progress }) => seen.push(`${status} ${progress}`),
    pause: async (ms) => void pausesMs.push(ms),
    ...overrides,
  })
  const outcome = await ended.catch((error: unknown) => error)
  return { outcome, pausesMs, seen }
}

it('polls every 5 to 10 seconds, as the server asks, when it does not hold the answer', async () => {
  const { outcome, pausesMs, seen } = await follow([
    { task: task('processing', 10), retryAfterSeconds: 1 },
    { task: task('processing', 20), retryAfterSeconds: 7 },
    { task: task('processing', 30), retryAfterSeconds: 60 },
    { task: task('processing', 40), retryAfterSeconds: null },
    { task: task('completed', 100), retryAfterSeconds: null },
  ])
  expect(outcome).toEqual(task('completed', 100))
  expect(pausesMs).toEqual([5_000, 7_000, 10_000, 5_000])
  expect(seen).toEqual(['queued 0', 'processing 10', 'processing 20', 'processing 30', 'processing 40', 'completed 100'])
})

it('goes on after lost and overloaded answers', async () => {
  const { outcome } = await follow([
    new ServerUnreachable('gone'),
    new ApiRefusal(503, 'overloaded', 'busy', 1),
    new ApiRefusal(429, 'rate_limited', 'slower', 1),
    { task: task('failed'), retryAfterSeconds: null },
  ])
  expect(outcome).toEqual(task('failed'))
})

it('gives up when no answer comes for too long', async () => {
  const { outcome, pausesMs } = await follow(Array.from({ length: 50 }, () => new ServerUnreachable('gone')))
  expect(outcome).toBeInstanceOf(ServerUnreachable)
  expect(pausesMs).toHaveLength(12)
})

it('gives up at once when the server says that there is no such task', async () => {
  const { outcome, pausesMs } = await follow([new ApiRefusal(404, 'task_not_found', 'no such task', null)])
  expect(outcome).toMatchObject({ code: 'task_not_found' })
  expect(pausesMs).toEqual([])
})

it('ends when the time is up and says that the task goes on', async () => {
  const { outcome } = await follow([], { timeoutSeconds: 0 })
  expect(outcome).toMatchObject({ exitCode: 1, message: expect.stringContaining('is still queued after 0 s and goes on') })
})

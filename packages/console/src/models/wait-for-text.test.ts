import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { Task } from '../api/types.ts'
import { waitForText } from './wait-for-text.ts'

const queued = { id: 'task_1', status: 'queued' } as Task
const completed = { ...queued, status: 'completed', text: 'a fox at dusk' } as Task

/** Returns a poll that has these outcomes in order: the status of an error, or 200 for the completed task. */
const pollWith = (statuses: number[]) => async (): Promise<Task> => {
  const status = statuses.shift() ?? 200
  if (status !== 200) throw new ApiError(status, { code: 'any', message: 'any' })
  return completed
}

it('a text task is polled again after lost responses and internal errors', async () => {
  expect(await waitForText(queued, pollWith([0, 503, 0]), 1)).toBe(completed)
})

it('polling a text task ends with a rejection, and after ten lost responses', async () => {
  await expect(waitForText(queued, pollWith([0, 404]), 1)).rejects.toMatchObject({ status: 404 })
  await expect(waitForText(queued, pollWith(Array.from({ length: 10 }, () => 0)), 1)).rejects.toMatchObject({ status: 0 })
})

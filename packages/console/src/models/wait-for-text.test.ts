import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { Task } from '../api/types.ts'
import { waitForText } from './wait-for-text.ts'

const queued = { id: 'task_1', status: 'queued' } as Task
const completed = { ...queued, status: 'completed', text: 'a fox at dusk' } as Task

/**
 * Returns a `poll` function with these statuses in order. With 200, or if there are no more, it
 * returns the completed task.
 */
const pollWithStatuses = (statuses: number[]) => async (): Promise<Task> => {
  const status = statuses.shift() ?? 200
  if (status !== 200) throw new ApiError(status, { code: 'any', message: 'any' })
  return completed
}

it('a text task is polled again after lost responses and internal errors', async () => {
  expect(await waitForText(queued, pollWithStatuses([0, 503, 0]), 1)).toBe(completed)
})

it('polling a text task stops at a rejected poll and after ten lost responses', async () => {
  await expect(waitForText(queued, pollWithStatuses([0, 404]), 1)).rejects.toMatchObject({ status: 404 })
  await expect(waitForText(queued, pollWithStatuses(Array.from({ length: 10 }, () => 0)), 1)).rejects.toMatchObject({ status: 0 })
})

import { expect, it } from 'vitest'
import { retryWindowMs } from '../../identity/generated-key.ts'
import { GeneratedKeyIndex } from './generated-key-index.ts'

it('the index of generated keys finds a task for at least the retry window, and drops it once another task is added two windows later', () => {
  const index = new GeneratedKeyIndex(0)
  const addedAtMs = retryWindowMs - 1
  index.add(1, 'd', 7, addedAtMs)
  index.add(1, 'other', 8, addedAtMs + retryWindowMs)
  index.add(1, 'd', 9, addedAtMs + retryWindowMs)
  expect(index.candidatesOf(1, 'd')).toEqual([7, 9])
  expect(index.candidatesOf(2, 'd')).toEqual([])
  index.add(1, 'other', 10, addedAtMs + 2 * retryWindowMs + 1)
  expect(index.candidatesOf(1, 'd')).toEqual([9])
})

it('the index of generated keys contains each task once, and no removed task', () => {
  const index = new GeneratedKeyIndex(0)
  for (const taskNo of [3, 4, 3]) index.add(1, 'd', taskNo, 0)
  expect(index.candidatesOf(1, 'd')).toEqual([3, 4])
  index.remove([3])
  expect(index.candidatesOf(1, 'd')).toEqual([4])
  index.remove([4])
  expect(index.candidatesOf(1, 'd')).toEqual([])
})

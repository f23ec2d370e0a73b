import { expect, it } from 'vitest'
import { BodyMemory } from './body-memory.ts'

it('the bodies of one account leave memory for those of others', () => {
  const memory = new BodyMemory(100)
  expect([memory.reserve(1, 30), memory.reserve(1, 20), memory.reserve(1, 20)]).toEqual([true, true, false])
  expect([memory.reserve(2, 30), memory.reserve(2, 20), memory.reserve(3, 21), memory.reserve(3, 20)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  memory.release(2, 30)
  expect(memory.reserve(2, 30)).toBe(true)
})

it('a body that is larger than all memory is accepted alone', () => {
  const memory = new BodyMemory(100)
  expect([memory.reserve(1, 500), memory.reserve(2, 1)]).toEqual([true, false])
  memory.release(1, 500)
  expect([memory.reserve(2, 1), memory.reserve(1, 500)]).toEqual([true, false])
})

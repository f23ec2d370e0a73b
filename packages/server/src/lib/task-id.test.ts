import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  createTaskIds,
  createTaskIdsInSlot,
  createdAtMsOf,
  firstTaskNoAt,
  isTaskId,
  taskIdOf,
  taskNoOf,
  taskTailOf,
} from './task-id.ts'

it('makes ids that rise strictly, also within a millisecond and when the clock steps back', () => {
  let nowMs = Date.UTC(2026, 10, 21)
  const next = createTaskIds(() => nowMs)
  let last = ''
  for (let i = 0; i < 10_000; i++) {
    if (i === 5000) nowMs -= 60_000
    const id = next()
    expect(isTaskId(id)).toBe(true)
    expect(id > last).toBe(true)
    expect(taskNoOf(id)).toBeGreaterThan(last === '' ? 0 : taskNoOf(last))
    last = id
  }
  expect(createdAtMsOf(last)).toBe(Date.UTC(2026, 10, 21) + 2)
})

it('has as many of each variant digit, and no tail twice', () => {
  const next = createTaskIds(() => Date.UTC(2026, 10, 21))
  const tails = Array.from({ length: 10_000 }, () => taskTailOf(next()))
  for (const digit of '89ab') expect(tails.filter((tail) => tail.startsWith(digit)).length).toBeGreaterThan(2_200)
  expect(new Set(tails).size).toBe(tails.length)
})

it('starts above the highest number in use', () => {
  const first = createTaskIds(() => Date.UTC(2026, 0, 1))()
  const afterRestart = createTaskIds(() => Date.UTC(2020, 5, 1), taskNoOf(first))()
  expect(taskNoOf(afterRestart)).toBe(taskNoOf(first) + 1)
})

it('makes no id in two slots, however many are asked for and whatever the last one was', () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const before = taskNoOf(createTaskIds(() => nowMs + 5)())
  const slots = [0, 1, 63].map((slot) =>
    createTaskIdsInSlot(
      () => nowMs,
      before,
      () => slot,
    ),
  )
  const numbers = slots.flatMap((next) =>
    Array.from({ length: 1_000 }, (_, index) => {
      if (index % 100 === 0) nowMs += 1
      return taskNoOf(next())
    }),
  )
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(Math.min(...numbers)).toBeGreaterThan(before)
})

it('says number, tail and time of an id, and the id of a number and a tail', () => {
  const msMin = Date.UTC(2020, 0, 1)
  fc.assert(
    fc.property(fc.integer({ min: msMin, max: Date.UTC(2089, 0, 1) }), (ms) => {
      const id = createTaskIds(() => ms)()
      expect(taskIdOf(taskNoOf(id), taskTailOf(id))).toBe(id)
      expect(createdAtMsOf(id)).toBe(ms)
      expect(Number.isSafeInteger(taskNoOf(id))).toBe(true)
      expect(firstTaskNoAt(ms)).toBeLessThanOrEqual(taskNoOf(id))
      expect(firstTaskNoAt(ms + 1)).toBeGreaterThan(taskNoOf(id))
    }),
  )
})

it.each(['', 'task_', 'task_' + '0'.repeat(32), 'task_' + 'g'.repeat(32), 'x', '../../etc/passwd'])(
  'knows that %j is no id',
  (text) => {
    expect(isTaskId(text)).toBe(false)
  },
)

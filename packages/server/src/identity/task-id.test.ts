import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  createTaskIds,
  createTaskIdsInSlot,
  createdAtMsOf,
  createdAtMsOfNo,
  firstTaskNoAt,
  isTaskId,
  taskIdOf,
  taskNoOf,
  taskTailOf,
} from './task-id.ts'

it('task IDs rise strictly, even within a millisecond and when the clock is set back', () => {
  let nowMs = Date.UTC(2026, 10, 21)
  const next = createTaskIds(() => nowMs)
  let lastId = ''
  for (let i = 0; i < 10_000; i++) {
    if (i === 5000) nowMs -= 60_000
    const id = next()
    expect(isTaskId(id)).toBe(true)
    expect(id > lastId).toBe(true)
    expect(taskNoOf(id)).toBeGreaterThan(lastId === '' ? 0 : taskNoOf(lastId))
    lastId = id
  }
  expect(createdAtMsOf(lastId)).toBe(Date.UTC(2026, 10, 21) + 2)
})

/** Creates ids, and stores their numbers like a database does. */
function openIds(clock: () => number, usedNos = new Set<number>()) {
  const next = createTaskIds(clock, Math.max(0, ...usedNos), {
    findNextMs(ms) {
      const laterNos = [...usedNos].filter((no) => no >= firstTaskNoAt(ms))
      return laterNos.length === 0 ? null : createdAtMsOfNo(Math.min(...laterNos))
    },
  })
  return {
    usedNos,
    next() {
      const id = next()
      const no = taskNoOf(id)
      expect(usedNos).not.toContain(no)
      usedNos.add(no)
      return createdAtMsOf(id)
    },
  }
}

it('task IDs are current again after the clock was a year ahead, even after a restart', () => {
  const startMs = Date.UTC(2026, 10, 21)
  const yearMs = 365 * 86_400_000
  let nowMs = startMs
  const ids = openIds(() => nowMs)
  expect(ids.next()).toBe(startMs)
  nowMs = startMs + yearMs
  expect(ids.next()).toBe(startMs + yearMs)
  nowMs = startMs + 60_000
  expect([ids.next(), ids.next()]).toEqual([startMs + 60_000, startMs + 60_000])
  const idsAfterRestart = openIds(() => nowMs, ids.usedNos)
  nowMs += 5_000
  expect(idsAfterRestart.next()).toBe(startMs + 65_000)
  // A year later, the new ids follow the ids that were created while the clock was ahead.
  nowMs = startMs + yearMs
  expect(idsAfterRestart.next()).toBe(startMs + yearMs + 1)
})

it('task IDs continue after the last one when the clock is set back a little or to numbers in use', () => {
  const startMs = Date.UTC(2026, 10, 21)
  let nowMs = startMs
  const ids = openIds(() => nowMs)
  for (let i = 0; i < 200; i++, nowMs += 1_000) ids.next()
  const lastMs = nowMs - 1_000
  nowMs = lastMs - 59_000
  expect(ids.next()).toBe(lastMs)
  nowMs = startMs + 500
  expect(ids.next()).toBe(lastMs)
})

it('no task number is used twice for any sequence of clock jumps and restarts', () => {
  const step = fc.oneof(
    fc.constant('restart' as const),
    fc.constantFrom(1, 1_000, 30_000, 70_000, 3_600_000, 365 * 86_400_000, -1, -30_000, -70_000, -3_600_000, -365 * 86_400_000),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowMs = Date.UTC(2030, 0, 1)
      let ids = openIds(() => nowMs)
      for (const step of steps) {
        if (step === 'restart') ids = openIds(() => nowMs, ids.usedNos)
        else nowMs += step
        for (let i = 0; i < 3; i++) ids.next()
      }
    }),
    { numRuns: 300 },
  )
})

it('the tails of task IDs begin with each variant digit about equally often and never repeat', () => {
  const nextId = createTaskIds(() => Date.UTC(2026, 10, 21))
  const tails = Array.from({ length: 10_000 }, () => taskTailOf(nextId()))
  for (const digit of '89ab') expect(tails.filter((tail) => tail.startsWith(digit)).length).toBeGreaterThan(2_200)
  expect(new Set(tails).size).toBe(tails.length)
})

it('task IDs start above the highest number in use', () => {
  const firstId = createTaskIds(() => Date.UTC(2026, 0, 1))()
  const idAfterRestart = createTaskIds(() => Date.UTC(2020, 5, 1), taskNoOf(firstId))()
  expect(taskNoOf(idAfterRestart)).toBe(taskNoOf(firstId) + 1)
})

it('task IDs of different processes never collide, and all are above the highest number in use', () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const taskNoBefore = taskNoOf(createTaskIds(() => nowMs + 5)())
  const slots = [0, 1, 63].map((slot) =>
    createTaskIdsInSlot(
      () => nowMs,
      taskNoBefore,
      () => slot,
      { findNextMs: () => undefined },
    ),
  )
  const usedNos = slots.flatMap((next) =>
    Array.from({ length: 1_000 }, (_, index) => {
      if (index % 100 === 0) nowMs += 1
      return taskNoOf(next())
    }),
  )
  expect(new Set(usedNos).size).toBe(usedNos.length)
  expect(Math.min(...usedNos)).toBeGreaterThan(taskNoBefore)
})

it('a task ID can be split into number, tail and time, and built from number and tail', () => {
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
  'the text %j is not a task ID',
  (text) => {
    expect(isTaskId(text)).toBe(false)
  },
)

import { expect, it } from 'vitest'
import { createTaskWaiters } from './wait-for-task.ts'

const quietStore = { onTaskChanged: () => () => {} }

it('wakes whoever waits when it closes, and holds nobody after that', () => {
  const waiters = createTaskWaiters(quietStore, 10)
  const woken: string[] = []
  waiters.hold('task_a', 60, () => woken.push('a'))
  waiters.hold('task_b', 60, () => woken.push('b'))
  waiters[Symbol.dispose]()
  expect(woken).toEqual(['a', 'b'])
  expect(waiters.hold('task_a', 60, () => woken.push('late'))).toBeUndefined()
  expect(waiters.held).toBe(0)
})

it('holds no more than it may', () => {
  const waiters = createTaskWaiters(quietStore, 1)
  const giveUp = waiters.hold('task_a', 60, () => {})
  expect(waiters.hold('task_a', 60, () => {})).toBeUndefined()
  giveUp?.()
  expect(waiters.hold('task_a', 60, () => {})).toBeDefined()
  waiters[Symbol.dispose]()
})

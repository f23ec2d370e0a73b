import { expect, it } from 'vitest'
import { createTaskWaiters } from './wait-for-task.ts'

const owner = { accountNo: 1, keyNo: 1, isOperator: false }
const quietStore = { onTaskChanged: () => () => {} }
const query = (taskId: string) => ({ taskId, seconds: 60, owner, knownVersion: null })

it('closing the task waiters ends all long polls, and rejects later ones', () => {
  const waiters = createTaskWaiters(quietStore, 10)
  const woken: string[] = []
  waiters.add(query('task_a'), () => woken.push('a'))
  waiters.add(query('task_b'), () => woken.push('b'))
  waiters[Symbol.dispose]()
  expect(woken).toEqual(['a', 'b'])
  expect(waiters.add(query('task_a'), () => woken.push('late'))).toBeUndefined()
  expect(waiters.pendingCount).toBe(0)
})

it('the number of long polls never exceeds the maximum', () => {
  const waiters = createTaskWaiters(quietStore, 1)
  const settle = waiters.add(query('task_a'), () => {})
  expect(waiters.add(query('task_a'), () => {})).toBeUndefined()
  settle?.()
  expect(waiters.add(query('task_a'), () => {})).toBeDefined()
  waiters[Symbol.dispose]()
})

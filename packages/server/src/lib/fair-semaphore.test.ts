import { expect, it } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const { signal } = new AbortController()

it('accounts take turns, and the callers of an account wait in order of arrival', async () => {
  const semaphore = new FairSemaphore(1)
  const order: string[] = []
  await semaphore.acquire(1, signal)
  const callers = [1, 1, 1, 2, 2, 3].map(async (accountNo, index) => {
    expect(await semaphore.acquire(accountNo, signal)).toBe(true)
    order.push(`${accountNo}.${index}`)
    semaphore.release()
  })
  semaphore.release()
  await Promise.all(callers)
  expect(order).toEqual(['1.0', '2.3', '3.5', '1.1', '2.4', '1.2'])
})

it('a caller that stops waiting loses its turn, and the slot is free after the last release', async () => {
  const semaphore = new FairSemaphore(1)
  await semaphore.acquire(1, signal)
  const controller = new AbortController()
  const left = semaphore.acquire(1, controller.signal)
  const next = semaphore.acquire(1, signal)
  controller.abort()
  expect(await left).toBe(false)
  semaphore.release()
  expect(await next).toBe(true)
  semaphore.release()
  expect(await semaphore.acquire(2, signal)).toBe(true)
})

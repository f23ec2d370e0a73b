import { expect, it } from 'vitest'
import { SlotWaitQueue } from './slot-wait-queue.ts'

it('a free slot wakes a request of another account if the route is paused for the first account', async () => {
  const queue = new SlotWaitQueue({ slotPollMs: 60_000, waitingBytesMax: 1_000 })
  const controller = new AbortController()
  const woken: number[] = []
  const waits = [1, 2].map(async (accountNo) => {
    const request = { accountNo, model: 'chat', bytes: 1 }
    using _ = queue.enterQueue(request)
    await queue.waitForSlot(request, Infinity, controller.signal)
    woken.push(accountNo)
  })
  queue.wakeNext((_, accountNo) => accountNo !== 1)
  await Promise.resolve()
  controller.abort()
  await Promise.allSettled(waits)
  expect(woken).toEqual([2])
})

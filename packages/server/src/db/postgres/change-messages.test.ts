import { expect, it, vi } from 'vitest'
import { ChangeMessages } from './change-messages.ts'

const taskIds = Array.from({ length: 350 }, (_, number) => `task_${String(number).padStart(32, '0')}`)

it("changes of 350 tasks and attempts are sent in messages within PostgreSQL's size limit", async () => {
  const payloads: string[] = []
  const sender = new ChangeMessages('one', (payload) => payloads.push(payload))
  for (const [index, id] of taskIds.entries()) {
    if (index < 150) sender.notifyEnded(id)
    else sender.notifyChanged(id)
    sender.notifyAttempt(`${id}_12`)
  }
  const otherSender = new ChangeMessages('other', () => {})
  await vi.waitFor(() => expect(payloads.length).toBeGreaterThan(0), { timeout: 10_000 })
  const received = payloads.map((payload) => otherSender.read(payload))
  expect(received.flatMap((message) => message?.ended)).toEqual(taskIds.slice(0, 150))
  expect(received.flatMap((message) => message?.changed)).toEqual(taskIds.slice(150))
  expect(received.flatMap((message) => message?.attempts)).toHaveLength(350)
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
})

it('a task that changes several times is sent once in a message, and only as ended if it has ended', async () => {
  const payloads: string[] = []
  const sender = new ChangeMessages('one', (payload) => payloads.push(payload))
  const [runningId = '', endedId = ''] = taskIds
  for (let change = 0; change < 3; change++) {
    sender.notifyChanged(runningId)
    sender.notifyChanged(endedId)
  }
  sender.notifyEnded(endedId)
  await vi.waitFor(() => expect(payloads).toHaveLength(1), { timeout: 10_000 })
  expect(new ChangeMessages('other', () => {}).read(payloads[0] ?? '')).toMatchObject({ ended: [endedId], changed: [runningId] })
})

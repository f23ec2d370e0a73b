import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  chatModel,
  defaultCharge,
  hello,
  openChatService,
  readLastEntry,
  waitForBalance,
  type ChatService,
} from './chat-service.ts'
import { defaultBehavior } from './chat-upstream.ts'

const leaseMs = 100

let chat: ChatService
beforeEach(async () => {
  // The leases are not renewed in time, as in a process that was suspended.
  chat = await openChatService({ forwardLimits: { leaseMs, renewMs: 60_000, sweepMs: 2 * leaseMs } })
})
afterEach(() => chat[Symbol.asyncDispose]())

it('a chat is charged although its lease expired while its process was suspended', async () => {
  const { service, upstream } = chat
  const { key } = await service.newAccount(100)
  upstream.next(async (exchange) => {
    await sleep(5 * leaseMs)
    await defaultBehavior(exchange)
  })
  const response = await service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: hello } })
  expect(response.status).toBe(200)
  expect(await waitForBalance(service, key)).toBeCloseTo(100 - defaultCharge, 6)
  expect(await readLastEntry(service, key)).toMatchObject({ kind: 'settle' })
})

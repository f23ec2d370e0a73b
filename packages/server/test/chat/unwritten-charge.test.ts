import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ForwardedEnd } from '../../src/db/forwarded-requests.ts'
import { changed } from '../http-service.ts'
import {
  chatModel,
  defaultCharge,
  hello,
  readLastEntry,
  openChatService,
  waitForBalance,
  type ChatService,
} from './chat-service.ts'

const leaseMs = 200

let isUnwritable: boolean
let failedCount: number
let writtenEnds: ForwardedEnd[]
let chat: ChatService
let resources: AsyncDisposableStack
beforeEach(() => {
  isUnwritable = false
  failedCount = 0
  writtenEnds = []
  resources = new AsyncDisposableStack()
})
afterEach(() => resources.disposeAsync())

async function openService(sweepMs: number): Promise<void> {
  chat = resources.use(
    await openChatService({
      forwardLimits: { leaseMs, renewMs: leaseMs / 4, sweepMs },
      changeStore: (store) =>
        changed(store, {
          async endForwarded(no, end) {
            if (isUnwritable) {
              failedCount += 1
              throw new Error('the write failed')
            }
            writtenEnds.push(end)
            return store.endForwarded(no, end)
          },
        }),
    }),
  )
}

it('a chat whose charge could not be written is charged once it can be written', async () => {
  await openService(leaseMs / 2)
  const { service } = chat
  const { key } = await service.newAccount(100)
  isUnwritable = true
  const response = await service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: hello } })
  expect(response.status).toBe(200)
  expect((await service.request('GET', '/v2/credits', { key })).json.held).toBeGreaterThan(0)
  isUnwritable = false
  expect(await waitForBalance(service, key)).toBeCloseTo(100 - defaultCharge, 6)
  expect(await readLastEntry(service, key)).toMatchObject({ kind: 'settle' })
})

it('a chat whose charge cannot be written for longer than its lease is charged', async () => {
  await openService(leaseMs / 2)
  const { service } = chat
  const { key } = await service.newAccount(100)
  isUnwritable = true
  const response = await service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: hello } })
  expect(response.status).toBe(200)
  await sleep(4 * leaseMs)
  expect((await service.request('GET', '/v2/credits', { key })).json.held).toBeGreaterThan(0)
  isUnwritable = false
  expect(await waitForBalance(service, key)).toBeCloseTo(100 - defaultCharge, 6)
  expect(await readLastEntry(service, key)).toMatchObject({ kind: 'settle' })
})

it('a chat whose charge could not be written is charged when the service stops', async () => {
  await openService(60_000)
  const { key } = await chat.service.newAccount(100)
  isUnwritable = true
  await chat.service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: hello } })
  await expect.poll(() => failedCount).toBeGreaterThan(0)
  isUnwritable = false
  await resources.disposeAsync()
  expect(writtenEnds).toEqual([expect.objectContaining({ outcome: 'completed', inputTokens: 20, outputTokens: 5 })])
})

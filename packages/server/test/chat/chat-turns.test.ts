import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { HttpService, TestAccount } from '../http-service.ts'
import { chatModel, openChatService, type ChatService } from './chat-service.ts'
import { completion, sendJson, type ChatUpstream } from './chat-upstream.ts'

const waitingBytesMax = 100_000
const requestsMax = 200
let chat: ChatService
let service: HttpService
let upstream: ChatUpstream
let busyAccount: TestAccount
let otherAccount: TestAccount
beforeAll(async () => {
  chat = await openChatService({ forwardLimits: { slotWaitMs: 10_000, slotPollMs: 10, waitingBytesMax, requestsMax } })
  ;({ service, upstream } = chat)
  await service.request('DELETE', '/admin/v1/routes/chat-backup')
  const route = { model: chatModel, upstream: 'first', upstream_model: 'tiny', in_flight_max: 1 }
  expect((await service.request('PUT', '/admin/v1/routes/chat', { body: route })).status).toBe(200)
})
afterAll(() => chat[Symbol.asyncDispose]())
beforeEach(async () => {
  busyAccount = await service.newAccount(1_000)
  otherAccount = await service.newAccount(1_000)
  upstream.reset()
})

const send = ({ key }: TestAccount, content: string) =>
  service.request('POST', '/v1/chat/completions', { key, body: { model: chatModel, messages: [{ role: 'user', content }] } })

const receivedContents = () => upstream.received.map(({ body }) => String(body['messages'][0].content))

/** Adds slow responses to the next requests. */
function respondSlowly(requestCount: number): void {
  for (let count = 0; count < requestCount; count++) {
    upstream.next(async ({ body, response }) => {
      await sleep(50)
      sendJson(response, 200, completion(body, 'Red.'))
    })
  }
}

it('accounts whose chats wait for a slot take turns', async () => {
  respondSlowly(40)
  const busyChats = Array.from({ length: 30 }, async (_, index) => send(busyAccount, `busy ${index}`))
  await expect.poll(() => upstream.received.length).toBeGreaterThanOrEqual(3)
  for (const content of ['first', 'second', 'third']) {
    const receivedBefore = upstream.received.length
    expect((await send(otherAccount, content)).status).toBe(200)
    expect(receivedContents().indexOf(content) - receivedBefore).toBeLessThanOrEqual(2)
  }
  for (const { status } of await Promise.all(busyChats)) expect(status).toBe(200)
})

it('the waiting chats of one account leave memory for those of others', async () => {
  respondSlowly(3)
  const half = 'x'.repeat(0.4 * waitingBytesMax)
  const runningChat = send(busyAccount, 'running')
  await expect.poll(() => upstream.received.length).toBe(1)
  const statuses = await Promise.all([send(busyAccount, half), send(busyAccount, half), send(otherAccount, half)])
  expect(statuses.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 200, 429])
  expect(statuses[2]?.status).toBe(200)
  expect((await runningChat).status).toBe(200)
})

it('the chats in progress of one account leave capacity for those of others', async () => {
  const gate = Promise.withResolvers<void>()
  for (let count = 0; count <= requestsMax; count++) {
    upstream.next(async ({ body, response }) => {
      await gate.promise
      sendJson(response, 200, completion(body, 'Red.'))
    })
  }
  const busyChats = Array.from({ length: requestsMax }, async (_, index) => send(busyAccount, `busy ${index}`))
  const rejected = await Promise.race(busyChats)
  expect([rejected.status, rejected.json.error.code]).toEqual([503, 'overloaded'])
  const otherChat = send(otherAccount, 'other')
  gate.resolve()
  expect((await otherChat).status).toBe(200)
  await Promise.all(busyChats)
})

it('accounts whose models differ take turns if the models share an upstream', async () => {
  const limited = { driver: 'openai', base_url: upstream.baseUrl, api_key: 'sk-secret-of-first', in_flight_max: 1 }
  expect((await service.request('PUT', '/admin/v1/upstreams/first', { body: limited })).status).toBe(200)
  respondSlowly(40)
  const busyChats = Array.from({ length: 30 }, async (_, index) => send(busyAccount, `busy ${index}`))
  await expect.poll(() => upstream.received.length).toBeGreaterThanOrEqual(3)
  const receivedBefore = upstream.received.length
  await service.request('POST', '/v1/embeddings', { key: otherAccount.key, body: { model: 'harbor-embedding', input: 'x' } })
  expect(upstream.received.length - receivedBefore).toBeLessThanOrEqual(4)
  await Promise.all(busyChats)
})

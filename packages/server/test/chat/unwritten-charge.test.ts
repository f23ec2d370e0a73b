import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  chatModel,
  defaultCharge,
  hello,
  readLastEntry,
  openChatService,
  waitForBalance,
  type ChatService,
} from './chat-service.ts'

let isUnwritable = false
let chat: ChatService
beforeEach(async () => {
  chat = await openChatService({
    forwardLimits: { renewMs: 50, sweepMs: 100 },
    changeStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (isUnwritable && name === 'endForwarded') return () => Promise.reject(new Error('the write failed'))
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      }),
  })
})
afterEach(() => chat[Symbol.asyncDispose]())

it('a chat whose charge could not be written is charged once it can be written', async () => {
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

import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { expectConsistentLedger } from '../consistent-ledger.ts'
import type { HttpService, TestAccount } from '../http-service.ts'
import { openResponseCutter, type ResponseCutter } from '../openai/cut-responses.ts'
import { chatModel, hello, openChatService, waitForBalance, defaultCharge, type ChatService } from './chat-service.ts'
import { beginStream, completion, endStream, sendDelta, sendJson, words, type ChatUpstream } from './chat-upstream.ts'

const logger = createLogger('silent')
let chat: ChatService
let service: HttpService
let upstream: ChatUpstream
let cutter: ResponseCutter
let account: TestAccount
beforeAll(async () => {
  chat = await openChatService({ forwardLimits: { drainMs: 500 }, logger })
  ;({ service, upstream } = chat)
  cutter = await openResponseCutter(Number(new URL(service.origin).port))
})
afterAll(async () => {
  await cutter[Symbol.asyncDispose]()
  await chat[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await service.newAccount(100)
  upstream.reset()
})

/** Returns a client that sends each request over a new connection through `cutter`. */
function newClient(headers: Record<string, string> = {}): OpenAI {
  const baseURL = `http://127.0.0.1:${cutter.port}${new URL(service.baseUrl).pathname}/v1`
  return new OpenAI({ apiKey: account.key, baseURL, defaultHeaders: { connection: 'close', ...headers } })
}

const question = { model: chatModel, messages: hello as never }

/** Sends a request with a retry count in its header, as OpenAI's clients do. */
function sendRaw(retryCount: number, body: object, signal: AbortSignal | null = null): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${account.key}`,
    'x-stainless-retry-count': String(retryCount),
  }
  return fetch(`${service.baseUrl}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

async function countCharges(): Promise<number> {
  return Math.round(((100 - (await waitForBalance(service, account.key))) / defaultCharge) * 1e6) / 1e6
}

it.each([
  ['before it begins', 0],
  ['in its head', 80],
])('a client whose response is cut %s gets the first response when it retries, and pays once', async (_where, bytes) => {
  cutter.cutAfter(bytes)
  const { choices } = await newClient().chat.completions.create(question)
  expect(choices[0]!.message.content).toBe(words.join(''))
  expect(upstream.received).toHaveLength(1)
  expect(await countCharges()).toBe(1)
  await expectConsistentLedger(service.store)
})

it('a client whose connection breaks within the headers of a stream gets the first stream when it retries, and pays once', async () => {
  cutter.cutAfter(80)
  let text = ''
  for await (const { choices: received } of await newClient().chat.completions.create({ ...question, stream: true })) {
    text += received[0]!.delta.content ?? ''
  }
  expect(text).toBe(words.join(''))
  expect(upstream.received).toHaveLength(1)
  expect(await countCharges()).toBe(1)
})

it('a retry waits for the response to the first request if that is still in progress', async () => {
  upstream.next(async ({ body, response }) => {
    await sleep(150)
    sendJson(response, 200, completion(body, words.join('')))
  })
  await expect(sendRaw(0, question, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  expect(await (await sendRaw(1, question)).json()).toMatchObject({ choices: [{ message: { content: words.join('') } }] })
  expect(upstream.received).toHaveLength(1)
  expect(await countCharges()).toBe(1)
})

it('a retry gets the whole stream if the first client disconnected before the first event', async () => {
  upstream.next(async ({ body, response }) => {
    beginStream(response)
    for (const word of words) {
      await sleep(100)
      sendDelta(response, body, { content: word })
    }
    endStream(response, body)
  })
  await expect(sendRaw(0, { ...question, stream: true }, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  const text = await (await sendRaw(1, { ...question, stream: true })).text()
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  expect(upstream.received).toHaveLength(1)
  expect(await countCharges()).toBe(1)
})

it('a stream whose client disconnected before the first event is charged the reported usage, and no error is logged', async () => {
  const logError = vi.spyOn(logger, 'error')
  upstream.next(async ({ body, response }) => {
    beginStream(response)
    await sleep(100)
    for (const word of words) {
      sendDelta(response, body, { content: word })
      await sleep(20)
    }
    endStream(response, body)
  })
  await expect(sendRaw(0, { ...question, stream: true }, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  expect(await countCharges()).toBe(1)
  expect(logError).not.toHaveBeenCalled()
})

it('a retry of a stream that the upstream breaks off gets the error event', async () => {
  upstream.next(async ({ body, response }) => {
    beginStream(response)
    sendDelta(response, body, { content: words[0] })
    await sleep(200)
    response.destroy()
  })
  const firstClient = new AbortController()
  const firstResponse = await sendRaw(0, { ...question, stream: true }, firstClient.signal)
  firstClient.abort()
  await expect(firstResponse.text()).rejects.toThrow('aborted')
  const text = await (await sendRaw(1, { ...question, stream: true })).text()
  expect(text).toContain(words[0])
  expect(text).toMatch(/data: \{"error":\{.*upstream_failed.*\}\n\n$/)
  expect(upstream.received).toHaveLength(1)
})

it('a retry of a stream that was cancelled after its client had disconnected is sent to an upstream again', async () => {
  upstream.next(({ body, response }) => {
    beginStream(response)
    sendDelta(response, body, { content: words[0] })
  })
  const firstClient = new AbortController()
  const firstResponse = await sendRaw(0, { ...question, stream: true }, firstClient.signal)
  firstClient.abort()
  await expect(firstResponse.text()).rejects.toThrow('aborted')
  await waitForBalance(service, account.key)
  const text = await (await sendRaw(1, { ...question, stream: true })).text()
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  expect(upstream.received).toHaveLength(2)
})

it('equal requests without a retry mark are all sent and charged', async () => {
  await newClient().chat.completions.create(question)
  await newClient().chat.completions.create(question)
  expect(await countCharges()).toBe(2)
  expect(upstream.received).toHaveLength(2)
})

it('a request that is marked as a retry is sent and charged if the client has received the response', async () => {
  const keepAliveClient = new OpenAI({ apiKey: account.key, baseURL: `${service.baseUrl}/v1` })
  await keepAliveClient.chat.completions.create(question)
  // A response counts as received one second after its end.
  await sleep(1_200)
  await newClient({ 'x-stainless-retry-count': '1' }).chat.completions.create(question)
  expect(await countCharges()).toBe(2)
  expect(upstream.received).toHaveLength(2)
})

it('a retry by another account gets its own response', async () => {
  cutter.cutAfter(0)
  const headers = { 'content-type': 'application/json', 'x-stainless-retry-count': '0' }
  const body = JSON.stringify(question)
  const url = `http://127.0.0.1:${cutter.port}/api/v1/chat/completions`
  await expect(
    fetch(url, { method: 'POST', headers: { ...headers, authorization: `Bearer ${account.key}` }, body }),
  ).rejects.toThrow()
  await waitForBalance(service, account.key)
  const otherAccount = await service.newAccount(100)
  const repeated = { ...headers, 'x-stainless-retry-count': '1', authorization: `Bearer ${otherAccount.key}` }
  expect((await fetch(`${service.baseUrl}/v1/chat/completions`, { method: 'POST', headers: repeated, body })).status).toBe(200)
  expect(upstream.received).toHaveLength(2)
  expect(await waitForBalance(service, otherAccount.key)).toBe(100 - defaultCharge)
})

it('large responses to one account behind a proxy displace neither its latest response nor those of other accounts', async () => {
  const otherAccount = await service.newAccount(100)
  const rich = await service.newAccount(10_000)
  const send = async ({ key }: TestAccount, retryCount: number, content: string): Promise<string> => {
    const headers = { 'x-stainless-retry-count': String(retryCount), 'x-forwarded-for': '192.0.2.1' }
    const body = { model: chatModel, messages: [{ role: 'user', content }] }
    return (await service.request('POST', '/v1/chat/completions', { key, headers, body })).text
  }
  await send(otherAccount, 0, 'before')
  const large = 'x'.repeat(900_000)
  for (let count = 0; count < 80; count++) {
    upstream.next(({ body, response }) => sendJson(response, 200, completion(body, large)))
    await send(rich, 0, `large ${count}`)
  }
  await send(otherAccount, 0, 'after')
  const receivedBefore = upstream.received.length
  await send(otherAccount, 1, 'before')
  await send(otherAccount, 1, 'after')
  expect(await send(rich, 1, 'large 79')).toContain(large)
  expect(upstream.received.length).toBe(receivedBefore)
})

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectConsistentLedger } from '../consistent-ledger.ts'
import type { HttpService, TestAccount } from '../http-service.ts'
import {
  chatModel,
  hello,
  readLastEntry,
  openChatService,
  rates,
  waitForBalance,
  defaultCharge,
  type ChatService,
} from './chat-service.ts'
import {
  beginStream,
  breakConnection,
  completion,
  deltaEvent,
  endStream,
  refuseWith,
  sendDelta,
  sendJson,
  words,
  type Behavior,
  type ChatUpstream,
} from './chat-upstream.ts'

const balance = 100
const inputImage = { type: 'input_image', image_url: 'https://example.com/a.png' }
let chat: ChatService
let service: HttpService
let upstream: ChatUpstream
let backup: ChatUpstream
let account: TestAccount
let client: OpenAI
beforeAll(async () => {
  chat = await openChatService({ forwardLimits: { drainMs: 300, slotWaitMs: 400, slotPollMs: 20 } })
  ;({ service, upstream, backup } = chat)
})
afterAll(() => chat[Symbol.asyncDispose]())
beforeEach(async () => {
  await useAnotherAccount()
  upstream.reset()
  backup.reset()
  await reopenRoutes()
})

async function useAnotherAccount(): Promise<void> {
  account = await service.newAccount(balance)
  client = new OpenAI({ apiKey: account.key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 })
}

/** Ends the pauses caused by a test's failures. */
async function reopenRoutes(): Promise<void> {
  for (const name of ['chat', 'chat-backup']) await service.changePool('route', name, { kind: 'reopen' })
  for (const name of ['first', 'second']) await service.changePool('upstream', name, { kind: 'reopen' })
}

const send = (extraFields: object = {}) =>
  client.chat.completions.create({ model: chatModel, messages: hello as never, ...extraFields })

async function requestStreamedText(extraFields: object = {}): Promise<string> {
  let text = ''
  const body = { model: chatModel, messages: hello as never, stream: true as const, ...extraFields }
  const stream = await client.chat.completions.create(body)
  for await (const { choices } of stream) text += choices[0]!.delta.content ?? ''
  return text
}

/**
 * Returns the raw events of a stream. They are not checked against the OpenAPI document, which only
 * describes JSON responses.
 */
async function requestRawEvents(): Promise<string> {
  const response = await fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: chatModel, messages: hello, stream: true }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  return response.text()
}

const postChat = () =>
  service.request('POST', '/v1/chat/completions', { key: account.key, body: { model: chatModel, messages: hello } })

async function readChargedTotal(): Promise<number> {
  return Math.round((balance - (await waitForBalance(service, account.key))) * 1e6) / 1e6
}

/** Returns the credits held while the upstream processes a request. */
async function readHold(extraFields: object): Promise<number> {
  const creditsRead = Promise.withResolvers<void>()
  upstream.next(async ({ body, response }) => {
    await creditsRead.promise
    sendJson(response, 200, completion(body, 'Red.'))
  })
  const pending = send(extraFields)
  await expect.poll(() => upstream.received.length).toBe(1)
  const { held: amount } = (await service.request('GET', '/v2/credits', { key: account.key })).json
  creditsRead.resolve()
  await pending
  await waitForBalance(service, account.key)
  upstream.received.length = 0
  return amount
}

describe('numbers of a chat request', () => {
  it.each([
    ['a small body', ''],
    ['a large body, which another thread parses', ' '.repeat(300_000)],
  ])('numbers that JavaScript cannot represent reach the upstream unchanged in %s', async (_size, padding) => {
    const numbers = '{"seed":9223372036854775807,"list":[-9007199254740993,1e400,0.12345678901234567890],"n":1.50}'
    const echoed = Promise.withResolvers<string>()
    upstream.nextText = echoed.resolve
    const { status } = await service.request('POST', '/v1/chat/completions', {
      key: account.key,
      headers: { 'content-type': 'application/json' },
      rawBody: `{"model":"${chatModel}","messages":[{"role":"user","content":"Hi"}],"extra":${numbers}${padding}}`,
    })
    expect(status).toBe(200)
    expect(await echoed.promise).toContain(
      '"extra":{"seed":9223372036854775807,"list":[-9007199254740993,1e400,0.12345678901234567890],"n":1.5}',
    )
  })

  it('a number of tokens that JavaScript cannot represent is rejected', async () => {
    const { status, json } = await service.request('POST', '/v1/chat/completions', {
      key: account.key,
      headers: { 'content-type': 'application/json' },
      rawBody: `{"model":"${chatModel}","messages":[{"role":"user","content":"Hi"}],"max_tokens":9007199254740993}`,
    })
    expect([status, json.error.param]).toEqual([400, 'max_tokens'])
  })
})

describe('credits of a chat', () => {
  it('a request that the balance does not cover is rejected with 402 before any upstream is called', async () => {
    const poorAccount = await service.newAccount(0.1)
    const refused = new OpenAI({
      apiKey: poorAccount.key,
      baseURL: `${service.baseUrl}/v1`,
      maxRetries: 0,
    }).chat.completions.create({
      model: chatModel,
      messages: hello as never,
    })
    await expect(refused).rejects.toMatchObject({ status: 402, code: 'insufficient_credits' })
    expect(upstream.received).toEqual([])
    expect(await waitForBalance(service, poorAccount.key)).toBe(0.1)
  })

  it('max_tokens and n determine the hold', async () => {
    const shortHold = await readHold({ max_tokens: 10 })
    const holdOfTwo = await readHold({ max_tokens: 10, n: 2 })
    expect(Math.round((holdOfTwo - shortHold) * 1e6)).toBeGreaterThanOrEqual(10 * rates.output)
    expect(await readHold({ max_completion_tokens: 200 })).toBeGreaterThan(holdOfTwo)
  })

  it.each([
    ['a video URL', { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }, 8_000],
    ['a sound URL', { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' } }, 8_000],
    [
      'sound whose data is a URL',
      { type: 'input_audio', input_audio: { data: 'https://example.com/a.mp3', format: 'mp3' } },
      8_000,
    ],
    ['a video URL without a type', { video_url: { url: 'https://example.com/a.mp4' } }, 8_000],
    ['a file', { type: 'file', file: { file_id: 'file-1' } }, 8_000],
    ['an image', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 6_000],
  ])('the hold of a chat with %s covers its tokens', async (_what, part, tokens) => {
    const content = [{ type: 'text', text: 'What is this?' }, part]
    const hold = await readHold({ messages: [{ role: 'user', content }], max_tokens: 10 })
    expect(hold).toBeGreaterThanOrEqual((tokens * rates.input + 10 * rates.output) / 1_000_000)
    expect(hold).toBeLessThanOrEqual((8_000 * rates.input + 10 * rates.output) / 1_000_000)
  })

  it.each([
    ['in the output of a tool', { input: [{ type: 'function_call_output', call_id: 'c', output: [inputImage] }] }],
    ['in a request that also has messages', { messages: [], input: [{ role: 'user', content: [inputImage] }] }],
  ])('the hold of a response counts an image %s', async (_where, fields) => {
    const body = { model: chatModel, ...fields, max_output_tokens: 10 }
    expect((await service.request('POST', '/v1/responses', { key: account.key, body })).status).toBe(200)
    await waitForBalance(service, account.key)
    const { items } = (await service.request('GET', '/v2/credits/entries?limit=1&kind=hold', { key: account.key })).json
    expect(-items[0].amount).toBeGreaterThanOrEqual((6_000 * rates.input + 10 * rates.output) / 1_000_000)
  })

  it('a charge does not exceed the hold if the upstream reports more tokens', async () => {
    const reported = { prompt_tokens: 1e8, completion_tokens: 1e8, total_tokens: 2e8 }
    upstream.next(({ body, response }) => sendJson(response, 200, completion(body, 'Red.', reported)))
    await send({ max_tokens: 5 })
    const { items } = (await service.request('GET', '/v2/credits/entries?limit=2', { key: account.key })).json
    expect(items[0]).toMatchObject({ kind: 'settle', amount: 0 })
    expect(await readChargedTotal()).toBe(-items[1].amount)
  })

  it.each([
    ['null', null],
    ['negative numbers', { prompt_tokens: -1, completion_tokens: 4 }],
    ['strings', { prompt_tokens: '20', completion_tokens: '4' }],
    ['no tokens', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['input tokens only', { prompt_tokens: 20 }],
    ['0 output tokens', { prompt_tokens: 20, completion_tokens: 0, total_tokens: 20 }],
  ])('usage that an upstream reports as %s is replaced by an estimate that is marked as estimated', async (_what, reported) => {
    upstream.next(({ body, response }) => sendJson(response, 200, completion(body, 'x'.repeat(400), reported)))
    await send()
    await waitForBalance(service, account.key)
    const { request } = await readLastEntry(service, account.key)
    expect(request).toMatchObject({ estimated: true, output_tokens: 100 })
    expect(request.input_tokens).toBeGreaterThan(5)
  })

  it('a usage report shows the tokens, and to operators the cost', async () => {
    await send()
    await waitForBalance(service, account.key)
    const { rows } = (await service.request('GET', '/v2/usage?by=model', { key: account.key })).json
    expect(rows).toEqual([
      expect.objectContaining({
        model: chatModel,
        completed: 1,
        input_tokens: 20,
        cached_input_tokens: 8,
        output_tokens: 5,
        charged: defaultCharge,
      }),
    ])
    const { json } = await service.request('GET', `/admin/v1/usage?by=route,upstream&account=${account.accountId}`)
    expect(json.items).toEqual([
      expect.objectContaining({ route: 'chat', upstream: 'first', amount: defaultCharge, cost: 0.008, input_tokens: 20 }),
    ])
  })

  it('a spending limit of the key counts chats', async () => {
    const hold = await readHold({})
    const spentPerDayMax = Math.round(hold * 1e6)
    const limited = await service.newAccount(balance, ['tasks:write', 'tasks:read'], { spentPerDayMax })
    const send = () =>
      service.request('POST', '/v1/chat/completions', { key: limited.key, body: { model: chatModel, messages: hello } })
    expect((await send()).status).toBe(200)
    await waitForBalance(service, limited.key)
    const { status, json } = await send()
    expect([status, json.error.code]).toEqual([402, 'spending_limit_reached'])
    expect(upstream.received).toHaveLength(1)
  })
})

describe('failover before the first byte', () => {
  it.each([
    ['429', refuseWith(429, { message: 'slow down', code: 'rate_limit_exceeded' }, { 'retry-after': '60' })],
    ['a 500', refuseWith(500, { message: 'oops' })],
    ['a refused key', refuseWith(401, { message: 'Incorrect API key provided: sk-secret-of-first' })],
    ['a broken connection', breakConnection],
    ['a page that is not JSON', ({ response }: { response: Parameters<typeof sendJson>[0] }) => void response.end('<html>')],
    [
      'an error in the first event',
      ({ response }: { response: Parameters<typeof sendJson>[0] }) => {
        beginStream(response)
        response.end(`data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`)
      },
    ],
    [
      'a stream that ends at once',
      ({ response }: { response: Parameters<typeof sendJson>[0] }) => {
        beginStream(response)
        response.end()
      },
    ],
  ])('after %s the next route serves the request, which is charged once', async (_what, behavior) => {
    upstream.next(behavior)
    expect(await requestStreamedText()).toBe(words.join(''))
    expect(backup.received.map(({ body }) => body['model'])).toEqual(['small'])
    expect(await readChargedTotal()).toBe(defaultCharge)
    await expectConsistentLedger(service.store)
  })

  it.each([
    ['a JSON body', false],
    ['the first event of a stream', true],
  ])('the error of a route has no key if an upstream repeats its key in %s with status 200', async (_where, isStreamed) => {
    const error = { error: { message: `Incorrect API key provided: sk-secret-of-first. ${'x'.repeat(2_000)}` } }
    const respondWithError: Behavior = ({ response }) => {
      if (!isStreamed) return sendJson(response, 200, error)
      beginStream(response)
      response.end(`data: ${JSON.stringify(error)}\n\n`)
    }
    upstream.next(respondWithError, respondWithError, respondWithError)
    for (const seed of [1, 2, 3]) {
      if (seed === 3) await useAnotherAccount()
      await (isStreamed ? requestStreamedText({ seed }) : send({ seed }))
    }
    const { json } = await service.request('GET', '/admin/v1/routes')
    const { last_error: lastError } = json.items.find(({ name }: { name: string }) => name === 'chat')
    expect(lastError).toContain('Incorrect API key provided: [secret]')
    expect(lastError.length).toBeLessThan(1_000)
  })

  it('a request gets 503 and is not charged if every upstream responds with an error', async () => {
    upstream.next(refuseWith(500, { message: 'oops' }))
    backup.next(refuseWith(502, { message: 'oops' }))
    await expect(send()).rejects.toMatchObject({ status: 503, code: 'no_route' })
    expect(await readChargedTotal()).toBe(0)
    const { json } = await service.request('GET', '/v2/usage', { key: account.key })
    expect(json.total).toMatchObject({ completed: 0, failed: 1, charged: 0 })
  })

  it('a request that all upstreams throttle gets 429 with Retry-After', async () => {
    for (const simulator of [upstream, backup]) simulator.next(refuseWith(429, { message: 'slow down' }, { 'retry-after': '30' }))
    const { status, headers, json } = await postChat()
    expect([status, json.error.code]).toEqual([429, 'rate_limited'])
    expect(headers.get('x-should-retry')).toBe('true')
    // The pause is up to a fifth longer than the upstream's `Retry-After`.
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(29)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(36)
    expect(await readChargedTotal()).toBe(0)
  })

  it('four requests on two routes with one slot each wait for slots, and at most two run at the same time', async () => {
    await setLimit(1)
    let concurrentCount = 0
    let maximum = 0
    const respondSlowly = async ({
      body,
      response,
    }: {
      body: Record<string, unknown>
      response: Parameters<typeof sendJson>[0]
    }) => {
      maximum = Math.max(maximum, ++concurrentCount)
      await sleep(40)
      concurrentCount -= 1
      sendJson(response, 200, completion(body, 'Red.'))
    }
    upstream.next(respondSlowly, respondSlowly, respondSlowly)
    backup.next(respondSlowly, respondSlowly, respondSlowly)
    await Promise.all([send(), send(), send(), send()])
    expect(upstream.received.length + backup.received.length).toBe(4)
    expect(maximum).toBe(2)
    await setLimit(null)
  })
})

const failWith500 = refuseWith(500, { message: 'oops' })

async function readFirstRoute(): Promise<{ failing_since: number | null; last_error: string | null }> {
  const { json } = await service.request('GET', '/admin/v1/routes')
  return json.items.find(({ name }: { name: string }) => name === 'chat')
}

async function isFirstRouteFailing(): Promise<boolean> {
  return (await readFirstRoute()).failing_since !== null
}

/** Checks that a request of the account reaches no upstream. */
async function expectPaused(retryAfter: unknown = '2'): Promise<void> {
  upstream.received.length = 0
  backup.received.length = 0
  const { status, headers } = await postChat()
  expect([status, headers.get('retry-after')]).toEqual([429, retryAfter])
  expect([...upstream.received, ...backup.received]).toEqual([])
}

/** Sends a request to which both upstreams respond with 500. */
async function failAtBoth(extraFields: object): Promise<[status: number, retryAfter: string | null]> {
  for (const simulator of [upstream, backup]) simulator.next(failWith500)
  const body = { model: chatModel, messages: hello, ...extraFields }
  const { status, headers } = await service.request('POST', '/v1/chat/completions', { key: account.key, body })
  return [status, headers.get('retry-after')]
}

describe('errors that a request may have caused', () => {
  beforeEach(async () => {
    // A success on each route resets its count of consecutive failures from earlier tests.
    await send()
    upstream.next(failWith500)
    await send({ seed: 0 })
    await send()
  })

  it('a request that gets 500 again and again does not pause the route, and other requests are served at once', async () => {
    for (let count = 0; count < 5; count++) expect(await failAtBoth({ seed: 1 })).toEqual([503, '1'])
    expect(await failAtBoth({ seed: 2 })).toEqual([503, '1'])
    expect(await isFirstRouteFailing()).toBe(false)
    const startedAtMs = performance.now()
    await send()
    expect(performance.now() - startedAtMs).toBeLessThan(400)
    expect(upstream.received.at(-1)?.body['seed']).toBeUndefined()
    // A success resets the count of consecutive failures.
    await failAtBoth({ seed: 3 })
    expect(await isFirstRouteFailing()).toBe(false)
  })

  it('three different requests of two accounts in a row that get 500 pause the route, and Retry-After is the rest of the pause', async () => {
    for (const seed of [1, 2]) expect(await failAtBoth({ seed })).toEqual([503, '1'])
    await useAnotherAccount()
    // The pause lasts 1 to 1.2 seconds.
    expect(await failAtBoth({ seed: 3 })).toEqual([503, expect.stringMatching(/^[12]$/)])
    expect(await isFirstRouteFailing()).toBe(true)
    await expectPaused()
  })

  it('three different requests of one account in a row that get 500 pause the route only for this account', async () => {
    for (const seed of [1, 2]) expect(await failAtBoth({ seed })).toEqual([503, '1'])
    expect(await failAtBoth({ seed: 3 })).toEqual([503, expect.stringMatching(/^[12]$/)])
    await expectPaused()
    await useAnotherAccount()
    const startedAtMs = performance.now()
    await send()
    expect(performance.now() - startedAtMs).toBeLessThan(400)
  })

  it('operators see errors that pause a route for one account only, until a request of any account succeeds', async () => {
    for (const seed of [1, 2]) await failAtBoth({ seed })
    expect(await isFirstRouteFailing()).toBe(false)
    await failAtBoth({ seed: 3 })
    expect(await readFirstRoute()).toMatchObject({
      failing_since: expect.any(Number),
      last_error: expect.stringContaining('oops'),
    })
    await useAnotherAccount()
    await send()
    expect(await isFirstRouteFailing()).toBe(false)
  })

  it('during the third pause in a row for one account, its requests get 503 and reach no upstream', async () => {
    let retryAfter: string | null = null
    for (const seed of [1, 2, 3, 4, 5]) {
      // The pauses begin with the third request.
      if (seed > 3) await sleep(Number(retryAfter) * 1_000)
      ;[, retryAfter] = await failAtBoth({ seed })
      if (seed === 4) await expectPaused(expect.stringMatching(/^[23]$/))
    }
    upstream.received.length = 0
    const { status, json, headers } = await postChat()
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'no_route', expect.stringMatching(/^[45]$/)])
    expect(upstream.received).toEqual([])
  })

  it('a 503 pauses the route at once', async () => {
    upstream.next(refuseWith(503, { message: 'starting' }))
    await send()
    expect(await isFirstRouteFailing()).toBe(true)
  })
})

async function setLimit(max: number | null): Promise<void> {
  for (const [name, upstreamName, model, priority] of [
    ['chat', 'first', 'tiny', 0],
    ['chat-backup', 'second', 'small', 1],
  ] as const) {
    const limit = max === null ? {} : { in_flight_max: max }
    const body = { model: chatModel, upstream: upstreamName, upstream_model: model, priority, ...limit }
    expect((await service.request('PUT', `/admin/v1/routes/${name}`, { body })).status).toBe(200)
  }
}

describe('a response that fails after its first byte', () => {
  const cases: [string, (response: Parameters<typeof sendJson>[0], body: Record<string, unknown>) => void][] = [
    ['the connection breaks', (response) => response.socket?.destroy()],
    [
      'half an event arrives',
      (response, body) => {
        response.write(deltaEvent(body, { content: ' half' }).slice(0, 40))
        setTimeout(() => response.socket?.destroy(), 20)
      },
    ],
    [
      'the upstream sends an error',
      (response) => response.end(`data: ${JSON.stringify({ error: { message: 'sk-secret-of-first' } })}\n\n`),
    ],
    ['the stream ends within an event', (response) => response.end('data: {"choices":[{"delta":{}}],"model":"tiny"')],
    ['the stream ends within the name of a field', (response) => response.end('dat')],
    [
      'the upstream reports an error as a string',
      (response) => response.end('data: {"error":"sk-secret-of-first is overloaded","error_type":"generation"}\n\n'),
    ],
    [
      'an event is larger than allowed',
      (response) => {
        response.write(`data: {"choices":[{"delta":{"content":"${'x'.repeat(9 * 1024 * 1024)}"}}]}\n\n`)
      },
    ],
  ]
  it.each(cases)(
    'the client gets an error event, and is charged an estimate for the received part, if %s',
    async (_what, fail) => {
      upstream.next(async ({ body, response }) => {
        beginStream(response)
        sendDelta(response, body, { content: 'The boat is' })
        await sleep(20)
        fail(response, body)
      })
      const text = await requestRawEvents()
      expect(text).toContain('The boat is')
      expect(text).toMatch(/data: \{"error":\{.*upstream_failed/)
      expect(text).not.toMatch(/sk-secret|tiny/)
      expect(await readChargedTotal()).toBeGreaterThan(0)
      expect(await readLastEntry(service, account.key)).toMatchObject({
        kind: 'settle',
        request: { estimated: true, output_tokens: 3 },
      })
      await expectConsistentLedger(service.store)
    },
  )

  it("after the model's deadline, a stream whose client does not read is charged, and its slot is free", async () => {
    await using model = await defineShortDeadlineModel()
    upstream.next(async ({ body, response }) => {
      beginStream(response)
      const closed = once(response, 'close')
      while (!response.destroyed) {
        if (!response.write(deltaEvent(body, { content: 'x'.repeat(10_000) })))
          await Promise.race([once(response, 'drain'), closed])
      }
    })
    const disconnect = new AbortController()
    const unreadResponse = await fetch(`${service.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: model.id, messages: hello, stream: true }),
      signal: disconnect.signal,
    })
    expect(unreadResponse.status).toBe(200)
    const heldNow = async () => (await service.request('GET', '/v2/credits', { key: account.key })).json.held
    await expect.poll(heldNow, { timeout: 5_000 }).toBe(0)
    expect(await readChargedTotal()).toBeGreaterThan(0)
    expect(await readLastEntry(service, account.key)).toMatchObject({ kind: 'settle', request: { estimated: true } })
    const next = await service.request('POST', '/v1/chat/completions', {
      key: account.key,
      body: { model: model.id, messages: hello },
    })
    expect(next.status).toBe(200)
    disconnect.abort()
    await unreadResponse.text().catch(() => {})
    await expectConsistentLedger(service.store)
  })

  it('a stream without usage is charged by an estimate', async () => {
    upstream.next(({ body, response }) => {
      beginStream(response)
      for (const word of words) sendDelta(response, body, { content: word })
      endStream(response, body, null)
    })
    expect(await requestStreamedText()).toBe(words.join(''))
    await waitForBalance(service, account.key)
    expect(await readLastEntry(service, account.key)).toMatchObject({ request: { estimated: true, output_tokens: 5 } })
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a client receives a response that an upstream compresses with %s, and an error', async (encoding, compress) => {
    const sendCompressed = (response: ServerResponse, status: number, json: object): void => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      response.writeHead(status, headers).end(compress(JSON.stringify(json)))
    }
    upstream.next(
      ({ body, response }) => sendCompressed(response, 200, completion(body, 'Red.')),
      ({ response }) => sendCompressed(response, 400, { error: { message: 'seed is too large' } }),
    )
    expect((await send()).choices[0]?.message.content).toBe('Red.')
    await expect(send()).rejects.toMatchObject({ status: 400, message: expect.stringContaining('seed is too large') })
    expect(backup.received).toEqual([])
  })

  it('a client receives each event of a compressed stream as soon as the upstream sends it', async () => {
    const isFirstReceived = Promise.withResolvers<void>()
    upstream.next(async ({ body, response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(response)
      gzip.write(deltaEvent(body, { content: 'The' }))
      gzip.flush()
      await isFirstReceived.promise
      gzip.end(`${deltaEvent(body, { content: ' boat' })}data: [DONE]\n\n`)
    })
    let text = ''
    for await (const { choices } of await client.chat.completions.create({
      model: chatModel,
      messages: hello as never,
      stream: true,
    })) {
      text += choices[0]!.delta.content ?? ''
      isFirstReceived.resolve()
    }
    expect(text).toBe('The boat')
  })

  it('a compressed stream that breaks off ends with an error', async () => {
    const isFirstReceived = Promise.withResolvers<void>()
    upstream.next(async ({ body, response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(response, { end: false })
      gzip.write(deltaEvent(body, { content: 'The' }))
      gzip.flush()
      await isFirstReceived.promise
      response.end()
    })
    const receive = async (): Promise<void> => {
      const stream = await client.chat.completions.create({ model: chatModel, messages: hello as never, stream: true })
      for await (const { choices } of stream) {
        expect(choices[0]?.delta.content).toBe('The')
        isFirstReceived.resolve()
      }
    }
    await expect(receive()).rejects.toThrow('The provider ended the response before it was complete.')
  })

  it('an event that is not JSON is forwarded', async () => {
    upstream.next(({ body, response }) => {
      beginStream(response)
      response.write('data: {not json\n\n')
      response.write(': a comment\n\n')
      endStream(response, body)
    })
    const text = await requestRawEvents()
    expect(text).toMatch(/^data: \{not json\n\n/)
    expect(text).not.toContain('a comment')
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
  })
})

async function sendAdmin(method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await service.request(method, `/admin/v1${path}`, { body })
  expect(status, text).toBeLessThan(300)
}

/**
 * Defines a model with a deadline of one second and a route with one slot, on the first upstream.
 */
async function defineShortDeadlineModel(): Promise<AsyncDisposable & { id: string }> {
  const id = 'brief-chat'
  const tokens = { max_input_tokens: 8_000, max_output_tokens: 1_000, price: { per_million_tokens: rates } }
  await sendAdmin('POST', '/models', { id, object: 'chat', deadline: 1, ...tokens })
  await sendAdmin('PUT', `/routes/${id}`, { model: id, upstream: 'first', upstream_model: 'tiny', in_flight_max: 1 })
  return {
    id,
    async [Symbol.asyncDispose]() {
      await sendAdmin('DELETE', `/routes/${id}`)
      await sendAdmin('DELETE', `/models/${id}`)
    },
  }
}

describe('limits per minute', () => {
  it.each(['key', 'account'] as const)('requests above the limit of a %s are rejected without any charge', async (owner) => {
    const path = owner === 'key' ? `/admin/v1/keys/${account.keyId}` : `/admin/v1/accounts/${account.accountId}`
    const set = await service.request('PATCH', path, { body: { requests_per_minute_max: 2 } })
    expect([set.status, set.json.requests_per_minute_max]).toEqual([200, 2])
    expect([(await postChat()).status, (await postChat()).status]).toEqual([200, 200])
    const { status, json, headers } = await postChat()
    expect([status, json.error.code]).toEqual([429, 'rate_limited'])
    expect(json.error.message).toMatch(
      /^This (API key|account) may use at most 2 requests per minute; try again in (2\d|30) seconds\.$/,
    )
    expect(headers.get('ratelimit-policy')).toBe('"requests-per-minute";q=2;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"requests-per-minute";r=0;t=(2\d|30)$/)
    expect(headers.get('retry-after')).toMatch(/^(2\d|30)$/)
    expect([upstream.received.length, await readChargedTotal()]).toEqual([2, 2 * defaultCharge])
    await service.request('PATCH', path, { body: { requests_per_minute_max: null } })
    expect((await postChat()).status).toBe(200)
  })

  it('the tokens of earlier requests count toward tokens_per_minute_max', async () => {
    await service.request('PATCH', `/admin/v1/accounts/${account.accountId}`, { body: { tokens_per_minute_max: 20 } })
    expect((await postChat()).status).toBe(200)
    await waitForBalance(service, account.key)
    const { status, json } = await postChat()
    expect([status, json.error.message]).toEqual([429, expect.stringMatching(/at most 20 tokens per minute/)])
  })
})

describe('rejected requests', () => {
  it.each([
    [{ messages: undefined }, 'messages', /messages must be a list/],
    [{ messages: [] }, 'messages', /at least one message/],
    [{ messages: ['x'] }, 'messages', /messages must be a list/],
    [{ max_tokens: 1_001 }, 'max_tokens', /from 1 to 1000/],
    [{ max_completion_tokens: 0 }, 'max_completion_tokens', /from 1 to 1000/],
    [{ n: 17 }, 'n', /from 1 to 16/],
    [{ n: 1.5 }, 'n', /from 1 to 16/],
    [{ stream: 'yes' }, 'stream', /true or false/],
    [{ stream: true, stream_options: [] }, 'stream_options', /must be an object/],
    [{ model: 'vidC2Stable' }, 'model', /its kind is video, and this path serves chat models/],
    [{ model: 'harbor-embedding' }, 'model', /its kind is embedding/],
    [{ model: 'harbour-chat' }, 'model', /did you mean "harbor-chat"/],
  ])('the request %j is rejected, and the error names the field %s', async (fields, param, message) => {
    const body = { model: chatModel, messages: hello, ...fields }
    const { json } = await service.request('POST', '/v1/chat/completions', { key: account.key, body })
    expect(json.error).toMatchObject({ param, message: expect.stringMatching(message) })
    expect(upstream.received).toEqual([])
  })

  it('a chat with a model that has no route gets 503 and a Retry-After of 15 seconds', async () => {
    const price = { per_million_tokens: rates }
    const model = { id: 'unrouted-chat', object: 'chat', max_input_tokens: 8_000, max_output_tokens: 1_000, price }
    expect((await service.request('POST', '/admin/v1/models', { body: model })).status).toBe(201)
    const body = { model: model.id, messages: hello }
    const { status, headers, json } = await service.request('POST', '/v1/chat/completions', { key: account.key, body })
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'no_route', '15'])
    await service.request('DELETE', `/admin/v1/models/${model.id}`)
  })

  it('a task of a chat model is rejected with the endpoint that serves it', async () => {
    for (const path of ['/v2/model-center/tasks', '/v1/images/generations', '/v1/videos']) {
      const { status, json } = await service.request('POST', path, { body: { model: chatModel, prompt: 'Hello' } })
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ param: 'model', message: expect.stringContaining('POST /v1/chat/completions') })
    }
  })

  it("an upstream's response with status 400 is forwarded without secrets, and no other route is tried", async () => {
    const message = `This model tiny at ${upstream.baseUrl} has a maximum context length of 4096 tokens; key sk-secret-of-first`
    upstream.next(refuseWith(400, { message, type: 'invalid_request_error', code: 'context_length_exceeded' }))
    const { status, json, text } = await postChat()
    expect([status, json.error.code, json.error.type]).toEqual([400, 'context_length_exceeded', 'invalid_request_error'])
    expect(json.error.message).toContain('maximum context length of 4096 tokens')
    for (const secret of ['sk-secret', 'tiny', '127.0.0.1']) expect(text).not.toContain(secret)
    expect(backup.received).toEqual([])
    expect(await readChargedTotal()).toBe(0)
  })

  it.each([
    'request (4020 tokens) exceeds the available context size (1024 tokens), try increasing it',
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
  ])('the upstream error %s is recognized as a conversation that is too long', async (message) => {
    upstream.next(refuseWith(400, { code: 400, message, type: 'BadRequestError' }))
    await expect(send()).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' })
  })
})

describe('token models in the lists', () => {
  it('both interfaces list a chat model, and the model center shows its price', async () => {
    const { data } = await client.models.list()
    expect(data.map(({ id }) => id)).toContain(chatModel)
    const { json } = await service.request('GET', '/v2/model-center/models?object=chat')
    expect(json.items).toEqual([
      expect.objectContaining({
        id: chatModel,
        type: 'chat',
        price: { unit: 'token', credits: rates },
        limits: expect.objectContaining({ max_input_tokens: 8_000, max_output_tokens: 1_000 }),
        endpoints: { openai: '/v1/chat/completions' },
        available: true,
      }),
    ])
  })

  it('a price for one account replaces that of the definition', async () => {
    const price = { unit: 'token', credits: { input: 0, output: 1_000_000 } }
    const body = { model: chatModel, account: account.accountId, price }
    expect((await service.request('POST', '/admin/v1/prices', { body })).status).toBe(201)
    await send({ max_tokens: 5 })
    expect(await readChargedTotal()).toBe(5)
    const invalid = { ...body, price: { unit: 'second', credits: { '*': 1 } } }
    const { json } = await service.request('POST', '/admin/v1/prices', { body: invalid })
    expect(json.error.message).toBe('The price must have the unit token.')
  })

  it('a chat model is imported from the list of its upstream', async () => {
    const body = {
      sources: ['openai:first:tiny'],
      id: 'imported-chat',
      object: 'chat',
      price: { per_million_tokens: { input: 1, output: 2 } },
    }
    const { status, json, text } = await service.request('POST', '/admin/v1/models/import', { body })
    expect(status, text).toBe(200)
    expect(json.model).toMatchObject({ object: 'chat', max_input_tokens: 4096, max_output_tokens: 4096 })
    const created = await client.chat.completions.create({ model: 'imported-chat', messages: hello as never })
    expect(created.choices[0]!.message.content).toBe(words.join(''))
  })
})

describe('other forwarded requests', () => {
  it('embeddings and moderations are charged by their input', async () => {
    const { data, model } = await client.embeddings.create({
      model: 'harbor-embedding',
      input: 'A boat',
      encoding_format: 'float',
    })
    expect([data[0]!.embedding, model]).toEqual([[0.1, -0.2], 'harbor-embedding'])
    expect(await readChargedTotal()).toBe(0.0004)
    expect((await client.moderations.create({ model: 'harbor-moderation', input: 'A boat' })).results).toHaveLength(1)
    expect(await readChargedTotal()).toBeGreaterThan(0.0004)
    expect(await readLastEntry(service, account.key)).toMatchObject({ request: { model: 'harbor-moderation', estimated: true } })
  })

  it('the estimate for an image in a moderation does not depend on the length of its data URI', async () => {
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'A'.repeat(30_000)}` } }
    await client.moderations.create({ model: 'harbor-moderation', input: [{ type: 'text', text: 'A boat' }, image] })
    await waitForBalance(service, account.key)
    const { request } = await readLastEntry(service, account.key)
    expect(request).toMatchObject({ estimated: true })
    expect(request.input_tokens).toBeGreaterThanOrEqual(1_000)
    expect(request.input_tokens).toBeLessThan(1_100)
  })

  it('a response of the stateless interface is forwarded, with and without streaming', async () => {
    const response = await client.responses.create({ model: chatModel, input: 'Hello' })
    expect(response).toMatchObject({ status: 'completed', model: chatModel })
    expect(upstream.received[0]!.body).toMatchObject({ store: false, model: 'tiny' })
    const types: string[] = []
    for await (const { type } of await client.responses.create({ model: chatModel, input: 'Hello', stream: true }))
      types.push(type)
    expect(types.at(-1)).toBe('response.completed')
    await waitForBalance(service, account.key)
    expect(await readLastEntry(service, account.key)).toMatchObject({
      request: { input_tokens: 20, output_tokens: 5, estimated: false },
    })
  })

  it.each([
    [{ store: true }, 'store', /responses are not stored/],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id', /send the whole conversation/],
    [{ background: true }, 'background', /^background must be false, because responses are not stored$/],
    [{ input: undefined }, 'input', /input is required/],
  ])('a request for a response with %j is rejected, and the error names the field %s', async (fields, param, message) => {
    const body = { model: chatModel, input: 'Hello', ...fields }
    const { json } = await service.request('POST', '/v1/responses', { body })
    expect(json.error).toMatchObject({ param, message: expect.stringMatching(message) })
  })
})

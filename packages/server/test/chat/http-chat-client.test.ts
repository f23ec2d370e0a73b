import { setTimeout as sleep } from 'node:timers/promises'
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
import { beginStream, endStream, sendDelta, usage, words, type ChatUpstream } from './chat-upstream.ts'

const balance = 100
let chat: ChatService
let service: HttpService
let upstream: ChatUpstream
let account: TestAccount
let client: OpenAI
beforeAll(async () => {
  chat = await openChatService({ forwardLimits: { drainMs: 300 } })
  ;({ service, upstream } = chat)
})
afterAll(() => chat[Symbol.asyncDispose]())
beforeEach(async () => {
  account = await service.newAccount(balance)
  client = new OpenAI({ apiKey: account.key, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 })
  upstream.reset()
})

const question = { model: chatModel, messages: hello as never }
const send = (extraFields: object = {}) => client.chat.completions.create({ ...question, ...extraFields })
const requestStream = (extraFields: object = {}) => client.chat.completions.create({ ...question, ...extraFields, stream: true })

async function readChargedTotal(): Promise<number> {
  return Math.round((balance - (await waitForBalance(service, account.key))) * 1e6) / 1e6
}

describe('a chat through the official client', () => {
  it('a response is forwarded, and its tokens are charged', async () => {
    const response = await send({ temperature: 0.2, tools: [], some_extension: { deep: [1, { x: null }] } })
    expect(response.choices[0]!.message.content).toBe(words.join(''))
    expect(response).toMatchObject({ model: chatModel, usage })
    const [{ path, body, headers }] = upstream.received as [(typeof upstream.received)[number]]
    expect(path).toBe('/v1/chat/completions')
    expect(headers.authorization).toBe('Bearer sk-secret-of-first')
    expect(body).toEqual({
      model: 'tiny',
      messages: hello,
      temperature: 0.2,
      tools: [],
      some_extension: { deep: [1, { x: null }] },
    })
    expect(await readChargedTotal()).toBe(defaultCharge)
    expect(await readLastEntry(service, account.key)).toMatchObject({
      kind: 'settle',
      task: null,
      request: { model: chatModel, input_tokens: 20, cached_input_tokens: 8, output_tokens: 5, estimated: false },
    })
    await expectConsistentLedger(service.store)
  })

  it('a stream has no usage unless requested, and its usage is charged', async () => {
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await requestStream()) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(words.join(''))
    expect(chunks.every(({ choices, usage: view, model }) => choices.length === 1 && view == null && model === chatModel)).toBe(
      true,
    )
    expect(upstream.received[0]!.body['stream_options']).toEqual({ include_usage: true })
    expect(await readChargedTotal()).toBe(defaultCharge)
  })

  it('a stream has its usage if the client requests it', async () => {
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await requestStream({ stream_options: { include_usage: true } })) chunks.push(chunk)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
  })

  it('deltas of tool calls are forwarded unchanged', async () => {
    const deltas = [
      {
        role: 'assistant',
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'color', arguments: '' } }],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"model":"x","of":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"boat"}' } }] },
    ]
    upstream.next(({ body, response }) => {
      beginStream(response)
      for (const delta of deltas) sendDelta(response, body, delta)
      endStream(response, body)
    })
    const receivedDeltas: unknown[] = []
    for await (const { choices } of await requestStream()) receivedDeltas.push(choices[0]!.delta)
    expect(receivedDeltas).toEqual([...deltas, {}])
  })

  it('a client that disconnects after a chunk pays for the tokens that the upstream reports at the end of its response', async () => {
    upstream.next(async ({ body, response }) => {
      beginStream(response)
      for (const word of words) {
        sendDelta(response, body, { content: word })
        await sleep(5)
      }
      endStream(response, body)
    })
    for await (const _chunk of await requestStream()) break
    expect(await readChargedTotal()).toBe(defaultCharge)
    expect(upstream.abortedCount).toBe(0)
  })

  it('an endless stream is cancelled after its client has disconnected, and the charge is an estimate', async () => {
    upstream.next(async ({ body, response }) => {
      beginStream(response)
      for (let n = 0; n < 500 && !response.destroyed; n++) {
        sendDelta(response, body, { content: ' and' })
        await sleep(5)
      }
    })
    for await (const _chunk of await requestStream()) break
    expect(await readChargedTotal()).toBeGreaterThan(rates.output / 1e6)
    expect(upstream.abortedCount).toBe(1)
    expect(await readLastEntry(service, account.key)).toMatchObject({ kind: 'settle', request: { estimated: true } })
    await expectConsistentLedger(service.store)
  })
})

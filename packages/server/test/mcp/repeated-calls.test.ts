import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../src/db/store-unavailable.ts'
import { openHttpService, type HttpService, type TestAccount } from '../http-service.ts'
import { openResponseCutter, type ResponseCutter } from '../openai/cut-responses.ts'
import { plainPng } from '../plain-png.ts'
import { connectClient, revisions, taskIdOf, textOf } from './mcp-clients.ts'

let service: HttpService
let cutter: ResponseCutter
let account: TestAccount
const keepAliveAgent = new Agent({ keepAlive: true })
/** Whether tasks cannot be read. */
let isUnreadable = false
beforeAll(async () => {
  service = await openHttpService({
    changeStore(store) {
      const [peek, find] = [store.peek.bind(store), store.find.bind(store)]
      store.peek = (id) => (isUnreadable ? undefined : peek(id))
      store.find = (id) => (isUnreadable ? Promise.reject(new Error('the row is damaged')) : find(id))
      return store
    },
  })
  cutter = await openResponseCutter(Number(new URL(service.origin).port))
})
afterAll(async () => {
  keepAliveAgent.destroy()
  await cutter[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await service.newAccount(100)
})

async function listTaskIds(): Promise<string[]> {
  const { json } = await service.request('GET', '/v2/model-center/tasks', { key: account.key })
  return json.items.map(({ id }: { id: string }) => id)
}

const image = { model: 'imgA-5.0', prompt: 'A paper boat', wait_seconds: 0 }

const generate = (client: Client, args: Record<string, unknown> = {}) =>
  client.callTool({ name: 'generate_image', arguments: { ...image, ...args } })

/**
 * Calls the tool with a short timeout, because a client of the 2025 revision waits after a broken
 * stream.
 */
const expectLost = (client: Client) =>
  expect(client.callTool({ name: 'generate_image', arguments: image }, { timeout: 1_000 })).rejects.toThrow()

describe.each(revisions)('repeated calls of MCP, revision %s', (revision) => {
  /** Returns a client whose requests pass through the proxy, each on its own connection. */
  const connectCuttable = async (headers: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${cutter.port}${new URL(service.baseUrl).pathname}/mcp`
    const client = await connectClient(service, revision, { key: account.key, url, headers: { connection: 'close', ...headers } })
    // A client of the 2025 revision opens a stream after it has connected, so that the next request
    // is the call.
    await client.listTools()
    return client
  }

  it('calls with the same idempotency_key, and an HTTP submit with this key, create one task', async () => {
    const client = await connectClient(service, revision, { key: account.key })
    const key = { idempotency_key: 'boat-1' }
    const firstId = taskIdOf(await generate(client, key))
    const repeated = await generate(client, { ...key, wait_seconds: 1 })
    expect(taskIdOf(repeated)).toBe(firstId)
    expect(textOf(repeated)).toContain('This call repeats an earlier one')
    const otherCall = await generate(client, { ...key, prompt: 'Another boat' })
    expect([otherCall.isError, textOf(otherCall)]).toEqual([true, expect.stringContaining('(idempotency_key_reused')])
    const { json } = await service.request('POST', '/v2/model-center/tasks', {
      key: account.key,
      headers: { 'idempotency-key': 'boat-1' },
      body: { model: image.model, prompt: image.prompt },
    })
    expect(json.id).toBe(firstId)
    expect(await listTaskIds()).toEqual([firstId])
    await client.close()
  })

  it.each([
    ['before it begins', 1],
    ['in its head', 80],
    ['in its body', 600],
  ])('a call that is retried after its response was cut %s returns the first task', async (_where, bytes) => {
    const client = await connectCuttable()
    cutter.cutAfter(bytes)
    await expectLost(client)
    const [firstId] = await listTaskIds()
    const repeated = await generate(client)
    expect([taskIdOf(repeated), await listTaskIds()]).toEqual([firstId, [firstId]])
    expect(textOf(repeated)).toContain('nothing was charged again')
    await client.close()
  })

  it('a call whose response is cut three times is charged once', async () => {
    const client = await connectCuttable()
    for (let time = 0; time < 3; time++) {
      cutter.cutAfter(1)
      await expectLost(client)
    }
    const id = taskIdOf(await generate(client))
    expect(await listTaskIds()).toEqual([id])
    const credits = (await service.request('GET', '/v2/credits', { key: account.key })).json
    expect(credits).toMatchObject({ balance: 99.96, held: 0.04 })
    await client.close()
  })

  it('a call returns the id of its task although the database cannot be reached during the wait', async () => {
    const client = await connectClient(service, revision, { key: account.key })
    vi.spyOn(service.store, 'peek').mockReturnValue(undefined)
    vi.spyOn(service.store, 'find').mockRejectedValue(new StoreUnavailable())
    const id = taskIdOf(await generate(client, { wait_seconds: 1 }))
    vi.restoreAllMocks()
    expect(await listTaskIds()).toEqual([id])
    await client.close()
  })

  it('a call whose task ends while the database cannot be reached returns the result soon after it can be reached', async () => {
    const client = await connectClient(service, revision, { key: account.key })
    const call = generate(client, { wait_seconds: 40 })
    await expect.poll(listTaskIds).toHaveLength(1)
    await service.startAll()
    const [id = ''] = await listTaskIds()
    const find = service.store.find.bind(service.store)
    vi.spyOn(service.store, 'peek').mockReturnValue(undefined)
    // `complete` reads the task first.
    vi.spyOn(service.store, 'find').mockImplementationOnce(find).mockRejectedValue(new StoreUnavailable())
    await service.complete(id, { durationMs: null, bytes: plainPng(64, 64) })
    await sleep(100)
    vi.restoreAllMocks()
    const recoveredAtMs = performance.now()
    expect(textOf(await call)).toContain('is completed')
    expect(performance.now() - recoveredAtMs).toBeLessThan(10_000)
    await client.close()
  })

  it('identical calls whose responses have arrived create one task each, sequentially and concurrently', async () => {
    const client = await connectClient(service, revision, { key: account.key })
    const ids = [taskIdOf(await generate(client)), taskIdOf(await generate(client))]
    const together = await Promise.all([1, 2, 3].map(() => generate(client, { wait_seconds: 1, prompt: 'Three boats' })))
    ids.push(...together.map(taskIdOf))
    expect(new Set(ids).size).toBe(5)
    expect((await listTaskIds()).toSorted()).toEqual(ids.toSorted())
    await client.close()
  })

  it('a call through a proxy returns the first task until the client has queried that task or 15 minutes have passed', async () => {
    const client = await connectCuttable({ 'x-forwarded-for': '203.0.113.7' })
    const firstId = taskIdOf(await generate(client))
    expect(taskIdOf(await generate(client))).toBe(firstId)
    await client.callTool({ name: 'get_task', arguments: { id: firstId } })
    const secondId = taskIdOf(await generate(client))
    expect(secondId).not.toBe(firstId)
    service.clockAheadMs += 16 * 60_000
    expect([firstId, secondId]).not.toContain(taskIdOf(await generate(client)))
    await client.close()
  })

  it('a call of another account does not return the task whose response was lost', async () => {
    const client = await connectCuttable()
    cutter.cutAfter(1)
    await expectLost(client)
    const [firstId] = await listTaskIds()
    account = await service.newAccount(100)
    const otherClient = await connectCuttable()
    expect(taskIdOf(await generate(otherClient))).not.toBe(firstId)
    await Promise.all([client.close(), otherClient.close()])
  })
})

it('a long call without a progress token sends white space before its JSON, so that a proxy keeps the connection open', async () => {
  const call = { name: 'generate_image', arguments: { ...image, wait_seconds: 17 } }
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  const chunks: string[] = []
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) chunks.push(chunk)
  expect([response.headers.get('content-type'), chunks[0]]).toEqual([expect.stringContaining('application/json'), '\n'])
  expect(JSON.parse(chunks.join(''))).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } })
})

it('identical calls of a client that closes each event stream after its first result create one task each', async () => {
  // Python's official client closes the connection of an event stream as soon as it has the result.
  const firstId = taskIdOf(await callAndClose(1))
  expect(taskIdOf(await callAndClose(2))).not.toBe(firstId)
})

/** Calls the tool without a progress token, and closes the connection of an event stream after its first event. */
async function callAndClose(id: number): Promise<CallToolResult> {
  const sent = request(`${service.baseUrl}/mcp`, {
    method: 'POST',
    agent: keepAliveAgent,
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })
  sent.end(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'generate_image', arguments: image } }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    // The end of the loop closes the connection.
    if (isStream && text.endsWith('\n\n')) break
  }
  const json = isStream ? (/^data: (.*)$/mu.exec(text)?.[1] ?? '') : text
  return (JSON.parse(json) as { result: CallToolResult }).result
}

it('a call that is retried after a simulated loss of the response returns the first task', async () => {
  const client = await connectClient(service, '2025-11-25', { key: account.key })
  const simulate = { parameters: { simulate: { lose_answer: true } } }
  await expect(generate(client, simulate)).rejects.toThrow()
  const [firstId] = await listTaskIds()
  expect(taskIdOf(await generate(client, simulate))).toBe(firstId)
  expect(await listTaskIds()).toEqual([firstId])
  await client.close()
})

it('a call whose thumbnail cannot be stored returns its result without the thumbnail', async () => {
  const client = await connectClient(service, '2025-11-25', { key: account.key })
  const readOnly = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', errno: -30, syscall: 'open' })
  const put = service.mediaStore.put.bind(service.mediaStore)
  using _ = vi
    .spyOn(service.mediaStore, 'put')
    .mockImplementation((key, ...others) => (key.includes('thumbnail') ? Promise.reject(readOnly) : put(key, ...others)))
  const call = generate(client, { wait_seconds: 20 })
  await expect.poll(listTaskIds).toHaveLength(1)
  await service.startAll()
  for (const id of await listTaskIds()) await service.complete(id, { durationMs: null, bytes: plainPng(64, 64) })
  const result = await call
  expect([result.isError, textOf(result)]).toEqual([undefined, expect.stringContaining('is completed')])
  await client.close()
})

it('a repeated call returns the task of the first call if that call failed after its task was accepted', async () => {
  const client = await connectClient(service, '2025-11-25', { key: account.key })
  isUnreadable = true
  const failed = await generate(client, { wait_seconds: 1 })
  expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining('(internal_error')])
  isUnreadable = false
  const [firstId] = await listTaskIds()
  await sleep(1_200)
  expect(taskIdOf(await generate(client))).toBe(firstId)
  await client.close()
})

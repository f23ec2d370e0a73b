import { once } from 'node:events'
import { connect } from 'node:net'
import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultLimits } from '../src/http/limits.ts'
import { freePort } from './free-port.ts'
import { plainPng } from './plain-png.ts'
import { startServer, type StartedServer } from './started-server.ts'
import {
  openThreadClients,
  threadPortsOption,
  type ThreadClient,
  type ThreadRequest,
  type ThreadResponse,
} from './thread-clients.ts'

const threadCount = 2
const { pipelinedMax } = defaultLimits
const tasksPath = '/v2/model-center/tasks'
/** The body of a submit of a task that stays queued. */
const queuedBody = { model: 'imgA-5.0', prompt: 'a boat', simulate: { queued_seconds: 3600 } }
const image = { model: 'imgA-5.0', prompt: 'x' }
/** A model that is added to the file while the threads start. */
const modelOfStart = { id: 'of-the-start', object: 'image', parameters: { prompt: {} }, price: { per_task: 2 } }

let dataDir: string
let configFile: string
let settings: Record<string, string>
let server: StartedServer
let clients: ThreadClient[]

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-threads-'))
  configFile = path.join(dataDir, 'framegate.yaml')
  writeConfigFile({})
  settings = {
    FRAMEGATE_THREADS: String(threadCount),
    FRAMEGATE_CONFIG: configFile,
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: threadPortsOption,
  }
  const lateThreads = new URL('late-threads.fixture.ts', import.meta.url).href
  const starting = startServer(dataDir, { ...settings, NODE_OPTIONS: `${threadPortsOption} --import=${lateThreads}` })
  // At this time, the service has read the file, but the threads have not started.
  await vi.waitFor(() => accessSync(path.join(dataDir, 'scratch')), { interval: 5, timeout: 20_000 })
  writeConfigFile({ models: [modelOfStart] })
  server = await starting
  clients = await openThreadClients(server, threadCount)
})

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]()
  expect(await server.stop()).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})

/** Writes the file of models and routes, which the service reads again when it has changed. */
function writeConfigFile(content: object): void {
  writeFileSync(configFile, JSON.stringify(content))
}

/** Sends the same request to each thread, one after the other. */
async function sendToEach(method: string, target: string, request?: ThreadRequest): Promise<ThreadResponse[]> {
  const responses: ThreadResponse[] = []
  for (const client of clients) responses.push(await client.send(method, target, request))
  return responses
}

/** Sends many requests concurrently, distributed over the threads. */
function distribute(
  count: number,
  send: (client: ThreadClient, index: number) => Promise<ThreadResponse>,
): Promise<ThreadResponse[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(clients[index % threadCount] as ThreadClient, index)))
}

async function createKey(limits: object = {}, accountId = 'acct_default'): Promise<{ id: string; key: string }> {
  const response = await server.request('POST', `/admin/v1/accounts/${accountId}/keys`, {
    name: 'of a test',
    scopes: ['tasks:read', 'tasks:write'],
    ...limits,
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; key: string }
}

async function readMetrics(): Promise<string> {
  return (await server.fetch(`${new URL(server.baseUrl).origin}/metrics`)).text()
}

/** Returns the number of accepted tasks of `imgA-5.0`, according to the metrics. */
async function countAcceptedTasks(): Promise<number> {
  return Number(/^framegate_tasks_accepted_total\{model="imgA-5.0"\} (\d+)$/m.exec(await readMetrics())?.[1])
}

/** Submits a task to each thread. Returns the error code of each response, or `accepted`. */
async function submitToEach(): Promise<string[]> {
  return (await sendToEach('POST', tasksPath, { body: image })).map(({ json }) => json.error?.code ?? 'accepted')
}

/** A request for a video, as the arguments of `send`, with the retry count of OpenAI's clients. */
const videoRequest = (index: number, retryCount: number): [string, string, ThreadRequest] => [
  'POST',
  '/v1/videos',
  {
    body: { model: 'sd_2.0_fast_special', prompt: `lost ${index}`, simulate: { queued_seconds: 3600 } },
    headers: { 'x-stainless-retry-count': String(retryCount) },
  },
]

const statusesOf = (responses: readonly ThreadResponse[]): number[] => responses.map(({ status }) => status)

describe('tasks', () => {
  it('each thread completes a task, which all threads show', async () => {
    for (const { status, json } of await sendToEach('POST', tasksPath, { body: image })) {
      expect(status).toBe(202)
      // A long poll is forwarded to the main thread.
      const [waited] = await sendToEach('GET', `${tasksPath}/${json.id}?wait=60`)
      expect(waited?.json).toMatchObject({ status: 'completed' })
      for (const polled of await sendToEach('GET', `${tasksPath}/${json.id}`)) expect(polled.json).toEqual(waited?.json)
      const result = await server.fetch(String(waited?.json.result_url))
      expect(result.headers.get('content-type')).toBe('image/png')
      for (const { status: head, text } of await sendToEach('HEAD', `${tasksPath}/${json.id}`))
        expect([head, text]).toEqual([200, ''])
      for (const { headers } of await sendToEach('GET', `${tasksPath}/${json.id}`)) {
        const unchanged = await sendToEach('GET', `${tasksPath}/${json.id}`, {
          headers: { 'if-none-match': String(headers.etag) },
        })
        expect(statusesOf(unchanged)).toEqual([304, 304])
      }
    }
  })

  it('lists contain the tasks of all threads, newest first', async () => {
    const submitted = await sendToEach('POST', tasksPath, { body: queuedBody })
    const ids = submitted.map(({ json }) => json.id as string).toReversed()
    for (const { json } of await sendToEach('GET', `${tasksPath}?limit=2`))
      expect(json.items.map(({ id }: Task) => id)).toEqual(ids)
  })

  it('all threads immediately show a cancelled task as cancelled, and return 404 for a deleted one', async () => {
    for (const [index, { json }] of (await sendToEach('POST', tasksPath, { body: queuedBody })).entries()) {
      // Each thread has the task in memory before it is cancelled, and again before it is deleted.
      for (const polled of await sendToEach('GET', `${tasksPath}/${json.id}`)) expect(polled.json.status).toBe('queued')
      await (clients[index] as ThreadClient).send('POST', `${tasksPath}/${json.id}/cancel`)
      for (const polled of await sendToEach('GET', `${tasksPath}/${json.id}`)) expect(polled.json.error_code).toBe('cancelled')
      expect(statusesOf([await (clients[0] as ThreadClient).send('DELETE', `${tasksPath}/${json.id}`)])).toEqual([200])
      expect(statusesOf(await sendToEach('GET', `${tasksPath}/${json.id}`))).toEqual([404, 404])
    }
  })

  it('concurrent submits on all threads with the same Idempotency-Key create one task', async () => {
    const headers = { 'idempotency-key': 'the same on all threads' }
    const responses = await distribute(12, (client) => client.send('POST', tasksPath, { body: queuedBody, headers }))
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
    expect(responses.filter((response) => response.headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    const otherResponses = await sendToEach('POST', tasksPath, { body: { ...queuedBody, prompt: 'another' }, headers })
    for (const { json } of otherResponses) expect(json.error.code).toBe('idempotency_key_reused')
  })

  it('a marked retry of a video request whose client disconnected from any thread returns the first task', async () => {
    const lostClients = await openThreadClients(server, threadCount)
    const first = await Promise.all(lostClients.map((client, index) => client.send(...videoRequest(index, 0))))
    for (const client of lostClients) client[Symbol.dispose]()
    // A response counts as received if its connection is still open after a second.
    await sleep(1_600)
    const retried = await Promise.all(clients.map((client, index) => client.send(...videoRequest(index, 1))))
    expect(statusesOf([...first, ...retried])).toEqual([200, 200, 200, 200])
    expect(retried.map(({ json }) => json.id)).toEqual(first.map(({ json }) => json.id))
  })

  it('tasks on other threads can use an asset that was uploaded through one thread', async () => {
    const form = new FormData()
    form.set('file', new Blob([plainPng(64, 64)], { type: 'image/png' }), 'plain.png')
    const uploaded = await server.fetch(`${server.baseUrl}/v2/assets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}` },
      body: form,
    })
    const { id } = (await uploaded.json()) as { id: string }
    const body = { ...queuedBody, reference_images: [`asset:${id}`] }
    for (const { status, text } of await sendToEach('POST', tasksPath, { body })) expect(status, text).toBe(202)
    const otherId = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
    const unknown = { ...queuedBody, reference_images: [`asset:${otherId}`] }
    for (const { status, json } of await sendToEach('POST', tasksPath, { body: unknown })) {
      expect([status, json.error.param]).toEqual([400, 'reference_images'])
    }
    const badBody = { ...queuedBody, reference_images: ['data:image/png;base64,AAAA'] }
    const refused = await sendToEach('POST', tasksPath, { body: badBody })
    expect(refused[0]?.json.error).toEqual({ ...refused[1]?.json.error, request_id: refused[0]?.json.error.request_id })
    expect(refused[0]?.status).toBe(400)
  })
})

describe('limits', () => {
  it('a rate limit applies to all threads together', async () => {
    const perSecondMax = 5
    const { key } = await createKey({ requests_per_second_max: perSecondMax })
    const startedAt = performance.now()
    const responses = await distribute(40, (client) => client.send('GET', `${tasksPath}/unknown`, { key }))
    const refilled = Math.ceil(((performance.now() - startedAt) / 1000) * perSecondMax)
    const allowed = statusesOf(responses).filter((status) => status !== 429).length
    expect(allowed).toBeGreaterThanOrEqual(perSecondMax)
    expect(allowed).toBeLessThanOrEqual(perSecondMax + refilled)
    for (const { headers } of responses) expect(headers['ratelimit-policy']).toBe('"requests";q=5;w=1')
  })

  it('a limit on tasks in flight is exact over all threads', async () => {
    const { key } = await createKey({ tasks_in_flight_max: 7 })
    const responses = await distribute(30, (client) => client.send('POST', tasksPath, { body: queuedBody, key }))
    expect(statusesOf(responses).filter((status) => status === 202)).toHaveLength(7)
    expect(new Set(statusesOf(responses))).toEqual(new Set([202, 429]))
  })

  it('of concurrent submits on all threads, exactly as many are accepted as the balance covers', async () => {
    const account = (await (await server.request('POST', '/admin/v1/accounts', { name: 'poor' })).json()) as { id: string }
    const { json: quote } = await (clients[0] as ThreadClient).send('POST', `${tasksPath}/quote`, { body: queuedBody })
    await server.request('POST', `/admin/v1/accounts/${account.id}/grants`, { amount: Number((quote.amount * 5).toFixed(6)) })
    const { key } = await createKey({}, account.id)
    const responses = await distribute(20, (client) => client.send('POST', tasksPath, { body: queuedBody, key }))
    expect(statusesOf(responses).filter((status) => status === 202)).toHaveLength(5)
    expect(new Set(statusesOf(responses))).toEqual(new Set([202, 402]))
  })
})

describe('changes of an operator', () => {
  it('a model that was added to the file while the threads started is offered by all threads', async () => {
    const body = { ...queuedBody, model: modelOfStart.id }
    await expect
      .poll(async () => statusesOf(await sendToEach('POST', tasksPath, { body })), { timeout: 5_000 })
      .toEqual([202, 202])
  })

  it('a new key works on the next request to each thread, and a revoked one fails', async () => {
    const { id, key } = await createKey()
    expect(statusesOf(await sendToEach('POST', tasksPath, { body: queuedBody, key }))).toEqual([202, 202])
    await server.request('PATCH', `/admin/v1/keys/${id}`, { models: ['vidC-3.0'] })
    expect(statusesOf(await sendToEach('POST', tasksPath, { body: queuedBody, key }))).toEqual([403, 403])
    await server.request('DELETE', `/admin/v1/keys/${id}`)
    expect(statusesOf(await sendToEach('POST', tasksPath, { body: queuedBody, key }))).toEqual([401, 401])
  })

  it('the next submit to each thread holds the changed price', async () => {
    for (const amount of [3, 5]) {
      const price = { unit: 'task', credits: { '*': amount } }
      const changed = await server.request('POST', '/admin/v1/prices', { model: 'imgA-5.0', price })
      expect(changed.status, await changed.clone().text()).toBe(201)
      for (const { json } of await sendToEach('POST', tasksPath, { body: queuedBody })) expect(json.amount).toBe(amount)
    }
  })

  it('a model of the changed file is offered by all threads, and no longer after its removal', async () => {
    const model = { id: 'of-the-file', object: 'image', parameters: { prompt: {} }, price: { per_task: 2 } }
    const body = { ...queuedBody, model: model.id }
    const submitStatuses = async () => statusesOf(await sendToEach('POST', tasksPath, { body }))
    expect(await submitStatuses()).toEqual([404, 404])
    writeConfigFile({ models: [model] })
    await expect.poll(submitStatuses).toEqual([202, 202])
    writeConfigFile({})
    await expect.poll(submitStatuses).toEqual([404, 404])
  })

  it('a model whose only upstream cannot be reached is rejected by all threads, and accepted after it gets other routes', async () => {
    const unreachable = { driver: 'openai', base_url: `http://127.0.0.1:${await freePort()}/v1`, api_key: 'k' }
    writeConfigFile({ upstreams: { unreachable }, routes: [{ model: 'imgA-5.0', upstream: 'unreachable', upstream_model: 'x' }] })
    await expect.poll(submitToEach, { timeout: 20_000 }).toEqual(['no_route', 'no_route'])
    writeConfigFile({})
    await expect.poll(submitToEach).toEqual(['accepted', 'accepted'])
  })

  it('metrics and the log include all threads', async () => {
    const submitted = await sendToEach('POST', tasksPath, { body: queuedBody })
    const acceptedBefore = await countAcceptedTasks()
    await sendToEach('POST', tasksPath, { body: queuedBody })
    expect(await countAcceptedTasks()).toBe(acceptedBefore + threadCount)
    expect(await readMetrics()).toContain('\nprocess_start_time_seconds ')
    for (const { json } of submitted) {
      await expect
        .poll(async () => (await server.request('GET', `/admin/v1/log?task=${json.id}`)).text())
        .toContain('a task was accepted')
    }
  })
})

describe('requests', () => {
  it('an invalid request gets the same error from all threads', async () => {
    const requests: [string, string, ThreadRequest][] = [
      ['POST', tasksPath, { body: { model: 'unknown', prompt: 'x' } }],
      ['POST', tasksPath, { body: { ...image, film_length: 5 } }],
      ['POST', tasksPath, { body: '{"model":' }],
      ['POST', tasksPath, { body: image, key: 'wrong' }],
      ['POST', `${tasksPath}/quote`, { body: { model: 'unknown' } }],
      ['PUT', tasksPath, { body: image }],
      ['GET', '/nothing', {}],
      ['GET', `${tasksPath}/unknown?wait=x`, {}],
      ['DELETE', `${tasksPath}/unknown`, {}],
      ['GET', `${tasksPath}/quote`, {}],
    ]
    for (const [method, target, request] of requests) {
      const [first, second] = (await sendToEach(method, target, request)).map(({ status, json, headers }) => ({
        status,
        error: { ...json.error, request_id: '' },
        type: headers['content-type'],
        connection: headers['connection'],
      }))
      expect(first?.status, `${method} ${target}`).toBeGreaterThanOrEqual(400)
      expect(first).toEqual(second)
    }
  })

  it('internal headers of forwarded requests are ignored if a client sends them', async () => {
    const headers = { 'x-framegate-thread': 'x', 'x-framegate-client-address': '10.0.0.1' }
    expect(statusesOf(await sendToEach('GET', tasksPath, { headers }))).toEqual([200, 200])
    expect(statusesOf(await sendToEach('POST', `${tasksPath}/quote`, { headers, body: image }))).toEqual([200, 200])
  })

  it('all threads accept a body without a length', async () => {
    for (const { status, json } of await sendToEach('POST', `${tasksPath}/quote`, {
      body: image,
      headers: { 'transfer-encoding': 'chunked' },
    })) {
      expect(status).toBe(200)
      expect(json.amount).toBeGreaterThan(0)
    }
  })
})

it('all threads respond to the pipelined requests of a connection up to the limit, and reject one more', async () => {
  const { json } = await (clients[0] as ThreadClient).send('POST', tasksPath, { body: queuedBody })
  const { hostname, port, pathname } = new URL(server.baseUrl)
  const requestOf = (target: string) =>
    `GET ${pathname}${target} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${server.apiKey}\r\n\r\n`
  // The other requests wait for the response to a long poll.
  const pipelined = requestOf(`${tasksPath}/${json.id}?wait=1`) + requestOf('/nothing').repeat(pipelinedMax + 1)
  // Enough connections that each thread gets at least one.
  const responses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(Number(port), hostname)
      socket.write(pipelined)
      return (await text(socket)).match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(-3)))
    }),
  )
  for (const statuses of responses) expect(statuses).toEqual([200, ...Array(pipelinedMax).fill(404), 429])
})

it('a second service cannot start on the port of a service with several threads', async () => {
  const otherFolder = mkdtempSync(path.join(tmpdir(), 'framegate-threads-second-'))
  const { port } = new URL(server.baseUrl)
  const secondStart = startServer(otherFolder, { FRAMEGATE_THREADS: String(threadCount), FRAMEGATE_PORT: port })
  await expect(secondStart).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`)
  rmSync(otherFolder, { recursive: true, force: true })
})

/**
 * Submits through all threads until a submit is not accepted. Adds the ids of the accepted tasks to
 * `ids`.
 */
async function submitUntilStopped(ids: string[]): Promise<void> {
  const submitLoops = clients
    .flatMap((client) => [client, client])
    .map(async (client) => {
      for (;;) {
        const response = await client.send('POST', tasksPath, { body: queuedBody }).catch(() => undefined)
        if (response?.status !== 202) return
        ids.push(response.json.id)
      }
    })
  await Promise.all(submitLoops)
}

it.each(['SIGTERM', 'SIGKILL'] as const)('after %s under load, every accepted task exists', async (signal) => {
  for (const client of clients) client[Symbol.dispose]()
  clients = await openThreadClients(server, threadCount)
  const ids: string[] = []
  const submitting = submitUntilStopped(ids)
  await expect.poll(() => ids.length).toBeGreaterThan(20)
  const exited = once(server.process, 'exit')
  server.process.kill(signal)
  expect(await exited).toEqual(signal === 'SIGTERM' ? [0, null] : [null, signal])
  await submitting
  server = await startServer(dataDir, settings)
  clients = await openThreadClients(server, threadCount)
  const responses = await distribute(ids.length, (client, index) => client.send('GET', `${tasksPath}/${ids[index]}`))
  expect(new Set(statusesOf(responses))).toEqual(new Set([200]))
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { fastify } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEventDistribution } from '../src/events/distribute-events.ts'
import { EventStream } from '../src/http/streams/event-stream.ts'
import { createLogger } from '../src/lib/logger.ts'
import { openHttpService, type HttpService, type TestAccount } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'

const in26Hours = () => Date.now() + 26 * 3_600_000
/** Interval of the service's heartbeats, at which it also checks the key of a stream. */
const heartbeatMs = 14_000

interface ReceivedEvent {
  event: string
  id: string
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
}

let service: HttpService
let distribution: AsyncDisposable
let account: TestAccount
beforeAll(async () => {
  service = await openHttpService()
  distribution = startEventDistribution(service.store, createLogger('silent'))
})
afterAll(async () => {
  await distribution[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await service.newAccount(100)
})

async function submitTask(key = account.key): Promise<string> {
  return (await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'a boat' }, key })).json.id
}

/** An open stream, and the events that it has sent so far. */
interface OpenStream {
  response: Response
  events: ReceivedEvent[]
  text(): string
  ended: Promise<void>
  close(): void
  awaitEvents(count: number): Promise<ReceivedEvent[]>
}

async function openStream(path: string, headers: Record<string, string> = {}, target = service): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await target.fetch(target.baseUrl + path, {
    headers: { authorization: `Bearer ${account.key}`, accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const events: ReceivedEvent[] = []
  let text = ''
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true })
      text += piece
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        const data = fields.get('data')
        if (data !== undefined)
          events.push({ event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) })
      }
    }
  }
  const streamEnded = read().catch(() => undefined)
  return {
    response,
    events,
    text: () => text,
    ended: streamEnded,
    close: () => controller.abort(),
    async awaitEvents(count) {
      await vi.waitFor(() => expect(events.length).toBeGreaterThanOrEqual(count), { timeout: 4_000, interval: 5 })
      return events
    },
  }
}

const pathOf = (id: string) => `${tasksPath}/${id}/events`

describe('the stream of a task', () => {
  it('a stream sends its task immediately and after a change, and ends when the task ends', async () => {
    const id = await submitTask()
    const stream = await openStream(pathOf(id))
    expect(stream.response.status).toBe(200)
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    await stream.awaitEvents(1)
    await service.startAll()
    await service.complete(id)
    await stream.ended
    const query = (await service.request('GET', `${tasksPath}/${id}`, { key: account.key })).json
    expect(stream.events.at(0)).toMatchObject({ event: 'task', id: '1', data: { id, status: 'queued' } })
    expect(stream.events.at(-1)).toMatchObject({ event: 'task', data: query })
    expect(stream.text()).toMatch(/^retry: 5000\n\n/)
  })

  it('a stream sends progress at most once per second, and the end of the task without delay', async () => {
    const id = await submitTask()
    await service.startAll()
    const openedAt = performance.now()
    const stream = await openStream(pathOf(id))
    await stream.awaitEvents(1)
    for (let percent = 10; percent < 60; percent += 10) await service.progress(id, percent)
    await setTimeout(300)
    expect(stream.events).toHaveLength(1)
    await stream.awaitEvents(2)
    expect(performance.now() - openedAt).toBeGreaterThan(990)
    expect(stream.events[1]!.data.progress).toBe(50)
    await service.progress(id, 70)
    const completedAt = performance.now()
    await service.complete(id)
    await stream.ended
    expect(performance.now() - completedAt).toBeLessThan(500)
    expect(stream.events.at(-1)?.data.status).toBe('completed')
  })

  it('a resumed stream sends only newer events, and a resumption after the last event gets 204', async () => {
    const id = await submitTask()
    const firstStream = await openStream(pathOf(id))
    const [firstEvent] = await firstStream.awaitEvents(1)
    firstStream.close()
    const sameStream = await openStream(pathOf(id), { 'last-event-id': firstEvent!.id })
    await service.startAll()
    const [nextEvent] = await sameStream.awaitEvents(1)
    expect(nextEvent!.data.status).toBe('processing')
    sameStream.close()
    await service.complete(id)
    const lastStream = await openStream(pathOf(id), { 'last-event-id': nextEvent!.id })
    await lastStream.ended
    expect(lastStream.events.map(({ data }) => data.status)).toEqual(['completed'])
    const responseAfterEnd = await service.request('GET', pathOf(id), {
      key: account.key,
      headers: { 'last-event-id': lastStream.events[0]!.id },
    })
    expect([responseAfterEnd.status, responseAfterEnd.text]).toEqual([204, ''])
    const foreign = await openStream(pathOf(id), { 'last-event-id': 'of another service' })
    await foreign.ended
    expect(foreign.events).toHaveLength(1)
  })

  it('a stream of an unknown task or a task of another account, and one with a missing key, wrong Accept or unknown event type, get a JSON error', async () => {
    const id = await submitTask()
    const otherAccount = await service.newAccount(1)
    for (const [path, options, status, code] of [
      [pathOf('task_019bc186de0070008b1e4d7a0c3f6295'), {}, 404, 'task_not_found'],
      [pathOf(id), { key: otherAccount.key }, 404, 'task_not_found'],
      [pathOf(id), { key: null }, 401, 'missing_api_key'],
      [pathOf(id), { headers: { accept: 'application/json' } }, 406, 'not_acceptable'],
      ['/v2/events?types=task.done', {}, 400, 'invalid_parameter'],
    ] as const) {
      const refused = await service.request('GET', path, { key: account.key, ...options })
      expect([refused.status, refused.json.error.code]).toEqual([status, code])
    }
  })

  it('a stream ends when its task is deleted', async () => {
    const id = await submitTask()
    const stream = await openStream(pathOf(id))
    await stream.awaitEvents(1)
    await service.request('DELETE', `${tasksPath}/${id}`, { key: account.key })
    await stream.ended
    expect(stream.events.at(-1)?.data.status).toMatch(/queued|failed/)
  })

  it('the npm package eventsource follows a task to its end and does not connect again', async () => {
    const id = await submitTask()
    let connections = 0
    const source = new EventSource(service.baseUrl + pathOf(id), {
      fetch: (url, init) => {
        connections += 1
        return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${account.key}` } })
      },
    })
    const statuses: string[] = []
    source.addEventListener('task', ({ data }) => statuses.push((JSON.parse(data) as { status: string }).status))
    await vi.waitFor(() => expect(statuses).toEqual(['queued']))
    await service.startAll()
    await service.complete(id)
    await vi.waitFor(() => expect(statuses.at(-1)).toBe('completed'))
    expect(connections).toBe(1)
    source.close()
  })
})

describe('the stream of an account', () => {
  const path = '/v2/events'

  it('the events of the account arrive in order with the data of webhooks, and no event of another account arrives', async () => {
    const stream = await openStream(path)
    const otherAccount = await service.newAccount(100)
    const foreignId = await submitTask(otherAccount.key)
    const ids = [await submitTask(), await submitTask()]
    await service.startAll()
    for (const id of [foreignId, ...ids]) await service.complete(id)
    await stream.awaitEvents(2)
    expect(stream.events.map(({ event, id, data }) => [event, id, data.type, data.data.id])).toEqual([
      // The start events of the two tasks have positions 1 and 2. This stream does not include
      // them.
      ['task.completed', '3', 'task.completed', ids[0]],
      ['task.completed', '4', 'task.completed', ids[1]],
    ])
    expect(stream.events[0]!.data.id).toMatch(/^evt_/)
    stream.close()
  })

  it('a stream begins with its position, and a client that resumes there misses no event', async () => {
    const firstStream = await openStream(path)
    await vi.waitFor(() => expect(firstStream.text()).toContain('\nid: 0\n\n'))
    firstStream.close()
    const id = await submitTask()
    await service.startAll()
    await service.complete(id)
    const secondStream = await openStream(path, { 'last-event-id': '0' })
    await secondStream.awaitEvents(1)
    expect(secondStream.events.map(({ event, data }) => [event, data.data.id])).toEqual([['task.completed', id]])
    secondStream.close()
  })

  it('a stream resumes after the last received event, even after a pause without a stream', async () => {
    const firstStream = await openStream(`${path}?types=task.failed,task.processing`)
    const id = await submitTask()
    await service.startAll()
    const [firstEvent] = await firstStream.awaitEvents(1)
    expect(firstEvent!.event).toBe('task.processing')
    firstStream.close()
    await service.request('POST', `${tasksPath}/${id}/cancel`, { key: account.key })
    const nextId = await submitTask()
    await service.startAll()
    await service.complete(nextId)
    await vi.waitFor(async () => {
      const feed = await service.store.database
        .selectFrom('event_feeds')
        .select('last_position')
        .where('account_no', '=', account.accountNo)
        .executeTakeFirst()
      expect(feed?.last_position).toBe(4)
    })
    const resumed = await openStream(`${path}?types=task.failed,task.processing,task.completed`, {
      'last-event-id': firstEvent!.id,
    })
    await resumed.awaitEvents(3)
    expect(resumed.events.map(({ event, id: eventId }) => [event, eventId])).toEqual([
      ['task.failed', '2'],
      ['task.processing', '3'],
      ['task.completed', '4'],
    ])
    resumed.close()
    const freshStream = await openStream(path, { 'last-event-id': '999999' })
    await setTimeout(50)
    expect(freshStream.events).toEqual([])
    freshStream.close()
  })

  it('nothing is recorded for an account whose last stream ended 26 hours ago', async () => {
    const { createWebhookRemoval } = await import('../src/webhooks/remove-webhooks.ts')
    const stream = await openStream(path)
    stream.close()
    await createWebhookRemoval({ store: service.store, retentionMs: 86_400_000, clock: in26Hours }).sweep(
      new AbortController().signal,
    )
    const row = await service.store.database
      .selectFrom('event_subscribers')
      .select('types')
      .where('account_no', '=', account.accountNo)
      .executeTakeFirst()
    expect(row?.types).toBe(0)
    const id = await submitTask()
    await service.startAll()
    await service.complete(id)
    const events = service.store.database.selectFrom('events').select('type').where('account_no', '=', account.accountNo)
    expect(await events.execute()).toEqual([])
  })
})

describe('streams in general', () => {
  it('the streams of a revoked key end at their next heartbeat', async () => {
    const realSetTimeout = globalThis.setTimeout
    const shortHeartbeatMs = 100
    vi.stubGlobal('setTimeout', (callback: () => void, ms?: number) =>
      realSetTimeout(callback, ms === heartbeatMs ? shortHeartbeatMs : ms),
    )
    try {
      const streams = [await openStream(pathOf(await submitTask())), await openStream('/v2/events')]
      const heartbeatsOf = (stream: OpenStream): number => stream.text().split(': \n\n').length - 1
      await vi.waitFor(() => expect(Math.min(...streams.map(heartbeatsOf))).toBeGreaterThan(1), { timeout: 4_000 })
      await service.keys.revokeKey(account.keyId)
      await Promise.all(streams.map(({ ended }) => ended))
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('the streams of a revoked key send no further event', async () => {
    const id = await submitTask()
    await service.startAll()
    const streams = [await openStream(pathOf(id)), await openStream('/v2/events')]
    await streams[0]!.awaitEvents(1)
    await service.keys.revokeKey(account.keyId)
    await service.complete(id)
    await Promise.all(streams.map(({ ended }) => ended))
    for (const stream of streams) expect(stream.text()).not.toContain('result_url')
  })

  it('a closing service ends its streams with a delayed retry', async () => {
    const ownService = await openHttpService()
    const { key } = ownService
    const id = (await ownService.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id
    const stream = await openStream(`${tasksPath}/${id}/events`, { authorization: `Bearer ${key}` }, ownService)
    await stream.awaitEvents(1)
    await ownService[Symbol.asyncDispose]()
    await stream.ended
    const retries = [...stream.text().matchAll(/retry: (\d+)/g)].map((match) => Number(match[1]))
    expect(retries).toHaveLength(2)
    expect(retries[1]).toBeGreaterThanOrEqual(5_000)
    expect(retries[1]).toBeLessThanOrEqual(20_000)
  })

  it('a key gets about a third of all streams, and further ones are rejected with 429', async () => {
    const ownService = await openHttpService({ limits: { streamsMax: 24 } })
    const id = (await ownService.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id
    const streams: OpenStream[] = []
    try {
      const otherAccount = await ownService.newAccount(10)
      for (;;) {
        const stream = await openStream(`${tasksPath}/${id}/events`, { authorization: `Bearer ${ownService.key}` }, ownService)
        if (stream.response.status !== 200) {
          expect([stream.response.status, stream.response.headers.get('retry-after')]).toEqual([429, '5'])
          break
        }
        streams.push(stream)
      }
      expect(streams.length).toBeGreaterThanOrEqual(6)
      expect(streams.length).toBeLessThanOrEqual(10)
      const foreignStream = await openStream('/v2/events', { authorization: `Bearer ${otherAccount.key}` }, ownService)
      expect(foreignStream.response.status).toBe(200)
      streams.push(foreignStream)
      const streamCount = streams.length
      streams[0]!.close()
      await vi.waitFor(async () => {
        const repeated = await openStream('/v2/events', { authorization: `Bearer ${ownService.key}` }, ownService)
        streams.push(repeated)
        expect(repeated.response.status).toBe(200)
      })
      expect(streams.length).toBeGreaterThan(streamCount)
    } finally {
      for (const stream of streams) stream.close()
      await ownService[Symbol.asyncDispose]()
    }
  })

  it('clients that disconnect before their stream begins occupy no stream', async () => {
    let isSlow = false
    const ownService = await openHttpService({
      limits: { streamsMax: 24 },
      changeStore: (store) => {
        const find = store.find.bind(store)
        store.peek = () => undefined
        store.find = async (id) => {
          if (isSlow) await setTimeout(100)
          return find(id)
        }
        return store
      },
    })
    try {
      const id = (await ownService.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })).json.id
      const headers = `host: x\r\nauthorization: Bearer ${ownService.key}\r\naccept: text/event-stream\r\n\r\n`
      isSlow = true
      const clients = Array.from({ length: 30 }, async () => {
        const client = connect(Number(new URL(ownService.baseUrl).port), '127.0.0.1')
        client.write(`GET ${new URL(ownService.baseUrl).pathname}${tasksPath}/${id}/events HTTP/1.1\r\n${headers}`)
        await setTimeout(40)
        client.resetAndDestroy()
      })
      await Promise.all(clients)
      await setTimeout(200)
      isSlow = false
      const stream = await openStream(`${tasksPath}/${id}/events`, { authorization: `Bearer ${ownService.key}` }, ownService)
      expect(stream.response.status).toBe(200)
      stream.close()
    } finally {
      await ownService[Symbol.asyncDispose]()
    }
  })

  it('a stream whose client reads nothing sends at most one event beyond the buffers of the connection', async () => {
    await using app = fastify()
    const eventBytes = 1024 * 1024
    let sent = 0
    let bufferedBytesMax = 0
    app.get('/', (request, reply) => {
      const stream = new EventStream(reply)
      void (async () => {
        for (; !stream.isClosed; sent++) {
          const sending = stream.send({ event: 'task', id: String(sent), data: 'x'.repeat(eventBytes) })
          bufferedBytesMax = Math.max(bufferedBytesMax, request.raw.socket.writableLength)
          await sending
        }
      })()
      return reply
    })
    const client = connect(Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port), '127.0.0.1')
    client.pause()
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    let sentBefore = -1
    await vi.waitFor(
      () => {
        const isBlocked = sent > 0 && sent === sentBefore
        sentBefore = sent
        expect(isBlocked).toBe(true)
      },
      { timeout: 4_000, interval: 250 },
    )
    expect(bufferedBytesMax).toBeLessThan(1.1 * eventBytes)
    client.destroy()
    await once(client, 'close')
  })
})

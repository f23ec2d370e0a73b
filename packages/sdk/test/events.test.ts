import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Framegate, unwrapWebhook, type Task } from '../src/index.ts'
import { readEvents } from '../src/read-events.ts'
import { startService, type Service } from './service.ts'
import { signatureHeaders, signedDelivery } from './signed-delivery.ts'

const { body, secret } = signedDelivery()
const signedHeaders = (seconds?: number, key = secret) => signatureHeaders(body, key, seconds)

async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = []
  for await (const item of items) read.push(item)
  return read
}

describe('unwrap', () => {
  it('unwrap returns the event of a signed request for each type of headers object', async () => {
    const headers = signedHeaders()
    const expected = JSON.parse(body)
    expect(await unwrapWebhook(body, headers, secret)).toEqual(expected)
    expect(await new Framegate({ apiKey: 'x' }).webhooks.unwrap(body, new Headers(headers), secret)).toEqual(expected)
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    expect(await unwrapWebhook(body, upper, secret)).toEqual(expected)
  })

  it('unwrap accepts the body as bytes', async () => {
    const bytes = new TextEncoder().encode(body)
    expect(await unwrapWebhook(bytes, signedHeaders(), secret)).toEqual(JSON.parse(body))
    await expect(unwrapWebhook(bytes.subarray(1), signedHeaders(), secret)).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  it('unwrap rejects a changed body, an old timestamp, another secret and missing headers', async () => {
    // The clock stands still. Otherwise a second could begin after a timestamp 301 s ahead was created.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const nowSeconds = Math.floor(Date.now() / 1000)
    const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    for (const [text, headers, key] of [
      [`${body} `, signedHeaders(), secret],
      [body, signedHeaders(nowSeconds - 301), secret],
      [body, signedHeaders(nowSeconds + 301), secret],
      [body, signedHeaders(nowSeconds, otherSecret), secret],
      [body, {}, secret],
      [body, { ...signedHeaders(), 'webhook-signature': 'v1,%%%' }, secret],
      [body, { ...signedHeaders(), 'webhook-timestamp': 'now' }, secret],
    ] as const) {
      await expect(unwrapWebhook(text, headers, key)).rejects.toMatchObject({ code: 'invalid_signature' })
    }
    for (const invalid of ['', 'abc', 'whsec_', 'whsec_%']) {
      await expect(unwrapWebhook(body, signedHeaders(), invalid)).rejects.toMatchObject({
        code: 'invalid_option',
        param: 'secret',
      })
    }
  })
})

async function read(...pieces: string[]) {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  return await collectAll(readEvents(stream))
}

describe('reading server-sent events', () => {
  it('server-sent events are read from any chunks and line ends, and an incomplete event is dropped', async () => {
    const text =
      'retry: 5\r\n\r\n: hello\n\nevent: task\nid: 7\ndata: {"a":\ndata: 1}\n\ndata:x\r\rid\ndata: y\n\ndata: unfinished\n'
    const expected = [
      { event: 'task', id: '7', data: '{"a":\n1}' },
      { event: 'message', id: '7', data: 'x' },
      { event: 'message', id: '', data: 'y' },
    ]
    expect(await read(text)).toEqual(expected)
    expect(await read(...text.split(''))).toEqual(expected)
  })

  it('an event whose lines end with carriage returns is read as soon as its last byte arrives', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const events = readEvents(readable)
    for (const data of ['a', 'b']) {
      void writer.write(new TextEncoder().encode(`event: task\rdata: ${data}\r\r`))
      expect(await events.next()).toEqual({ done: false, value: { event: 'task', id: '', data } })
    }
    await writer.close()
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})

it('events.stream resumes at the position of the stream if its connection breaks before the first event', async () => {
  const ids: (string | null)[] = []
  const client = new Framegate({
    apiKey: 'key',
    fetch: async (_url, init) => {
      ids.push(new Headers(init.headers).get('last-event-id'))
      const event = ids.length === 3 ? 'id: 42\nevent: task.completed\ndata: {"id":"evt_1"}\n\n' : ': \n\n'
      return new Response(`retry: 5000\n\nid: 41\n\n${event}`, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  vi.useFakeTimers()
  try {
    const next = client.events.stream().next()
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await next).value).toEqual({ id: 'evt_1', streamId: '42' })
  } finally {
    vi.useRealTimers()
  }
  expect(ids).toEqual([null, '41', '41'])
})

describe('streams of a service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })
  const image = { model: 'imgA-5.0', prompt: 'a kite', simulate: { seconds: 1 } } as const

  it('tasks.stream yields a task until it has ended, and events.stream the events of the account', async () => {
    const { client } = service
    const controller = new AbortController()
    const seenEvents: string[] = []
    const following = (async () => {
      for await (const event of client.events.stream({ signal: controller.signal, types: ['task.completed'] })) {
        seenEvents.push(`${event.type} ${(event.data as Task).id}`)
        return
      }
    })()
    // The stream of the account begins with the events after it was opened.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const task = await client.tasks.create(image)
    const statuses: string[] = []
    for await (const { status } of client.tasks.stream(task)) statuses.push(status)
    expect(statuses.at(-1)).toBe('completed')
    expect(statuses.length).toBeGreaterThan(1)
    await following
    expect(seenEvents).toEqual([`task.completed ${task.id}`])
    const repeated = await collectAll(client.tasks.stream(task.id))
    expect(repeated.map(({ status }) => status)).toEqual(['completed'])
    await expect(collectAll(client.tasks.stream('task_019bc186de0070008b1e4d7a0c3f6295'))).rejects.toMatchObject({
      code: 'task_not_found',
    })
    controller.abort()
  })

  it('a stream whose connection breaks is resumed after the last event', async () => {
    const task = await service.client.tasks.create(image)
    const ids: (string | null)[] = []
    const client = new Framegate({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        ids.push(new Headers(init.headers).get('last-event-id'))
        if (ids.length > 1 || response.body === null) return response
        // The first connection breaks after the first event.
        const reader = response.body.getReader()
        const first: Uint8Array[] = []
        for (let text = ''; !text.includes('data:');) {
          const { value } = await reader.read()
          if (value !== undefined) first.push(value)
          text += new TextDecoder().decode(value)
        }
        await reader.cancel()
        const body = new ReadableStream({
          pull(controller) {
            const piece = first.shift()
            if (piece === undefined) controller.error(new TypeError('the connection broke'))
            else controller.enqueue(piece)
          },
        })
        return new Response(body, { headers: response.headers })
      },
    })
    const statuses: string[] = []
    for await (const { status } of client.tasks.stream(task)) statuses.push(status)
    expect(statuses.at(-1)).toBe('completed')
    expect(ids[0]).toBeNull()
    expect(ids[1]).toMatch(/^\d+$/)
  })
})

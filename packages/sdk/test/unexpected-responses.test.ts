import { describe, expect, it } from 'vitest'
import { Framegate, FramegateError } from '../src/index.ts'
import { refusal, scriptedClient, task, type Script } from './scripted-service.ts'

/** The responses of another server, such as a proxy, at the address of the service. */

async function failureOf(call: Promise<unknown>): Promise<FramegateError> {
  const outcome = await call.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(FramegateError)
  return outcome as FramegateError
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) expect(item).toBeDefined()
}

const request = { model: 'a model of tomorrow', prompt: 'x' }
const calls: Record<string, (client: Framegate) => Promise<unknown>> = {
  'tasks.create': (client) => client.tasks.create(request),
  'tasks.createAndWait': (client) => client.tasks.createAndWait(request),
  'tasks.wait': (client) => client.tasks.wait('task_1'),
  'tasks.list': async (client) => readAll(await client.tasks.list()),
  'tasks.download': (client) => client.tasks.download('task_1'),
  'assets.create': (client) => client.assets.create({ file: new Uint8Array(3) }),
  'a resumable upload': (client) => client.assets.create({ file: new Uint8Array(3) }, { resumableAboveBytes: 1 }),
}

describe.each(Object.entries(calls))('%s', (name, call) => {
  it.each<Exclude<Script, string>>([
    { status: 200, body: 'null' },
    { status: 200, body: '[]' },
    { status: 200, body: '"fine"' },
    { status: 204 },
  ])(`${name} rejects with unexpected_answer if a success has the body $body and the status $status`, async (script) => {
    const { client } = scriptedClient([script], { maxRetries: 0 })
    expect(await failureOf(call(client))).toMatchObject({ code: 'unexpected_answer', status: script.status })
  })
})

it('a result link without content rejects with unexpected_answer', async () => {
  const { client } = scriptedClient([{ status: 204 }])
  const completed = task('completed', { result_url: 'http://framegate.test/result' })
  expect(await failureOf(client.tasks.download(completed))).toMatchObject({ code: 'unexpected_answer', status: 204 })
})

it('a list without items rejects with unexpected_answer', async () => {
  for (const body of [{}, { items: null, next_cursor: null }]) {
    const { client } = scriptedClient([{ status: 200, body }])
    expect(await failureOf(client.models.list())).toMatchObject({ code: 'unexpected_answer' })
  }
})

it('an event that is not a JSON object rejects with unexpected_answer', async () => {
  for (const data of ['{"id":', 'null', '5']) {
    const stream = { status: 200, body: `data: ${data}\n\n`, headers: { 'content-type': 'text/event-stream' } }
    const { client } = scriptedClient([], {}, stream)
    expect(await failureOf(client.tasks.stream('task_1').next())).toMatchObject({ code: 'unexpected_answer' })
    expect(await failureOf(client.events.stream().next())).toMatchObject({ code: 'unexpected_answer' })
  }
})

const send = (client: Framegate) => client.assets.create({ file: new Uint8Array(3) }, { resumableAboveBytes: 1 })
function upload(received_bytes: unknown): Script {
  return { status: 200, body: { id: 'upload_1', size_bytes: 3, received_bytes, asset: null, error: null } }
}

it('an upload rejects with unexpected_answer if the server reports an impossible number of received bytes', async () => {
  for (const received of [undefined, null, '1', true, -1, 0.5, 4]) {
    const { client, requests } = scriptedClient([upload(received)])
    expect(await failureOf(send(client))).toMatchObject({ code: 'unexpected_answer' })
    expect(requests).toHaveLength(1)
  }
  const { client, requests } = scriptedClient([upload(1), refusal(503, 'overloaded', { 'retry-after': '0' }), upload(0)])
  expect(await failureOf(send(client))).toMatchObject({ code: 'unexpected_answer' })
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'GET'])
})

it('fields of an error that have other types are ignored', async () => {
  const error = { message: 'Not here.', code: 404, param: {}, errors: 'none', request_id: 7 }
  const { client } = scriptedClient([{ status: 404, body: { error } }])
  const { code, param, errors, requestId, message } = await failureOf(client.tasks.get('task_1'))
  expect({ code, param, errors, requestId, message }).toEqual({
    code: 'unexpected_answer',
    param: null,
    errors: [],
    requestId: null,
    message: 'Not here.',
  })
})

it.each([200, 400])(
  'an endless response with the status %i rejects with unexpected_answer, and its connection is closed',
  async (status) => {
    let sentMiB = 0
    let isClosed = false
    const chunk = new Uint8Array(1024 * 1024).fill(0x20)
    const endlessBody = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sentMiB += 1
          controller.enqueue(chunk)
        },
        cancel() {
          isClosed = true
        },
      })
    const client = new Framegate({ apiKey: 'key', maxRetries: 0, fetch: async () => new Response(endlessBody(), { status }) })
    expect(await failureOf(client.tasks.get('task_1'))).toMatchObject({ code: 'unexpected_answer', status })
    expect({ isClosed, isBounded: sentMiB < 70 }).toEqual({ isClosed: true, isBounded: true })
  },
)

it('the time to iterate over a list grows linearly with its pages', async () => {
  const [pageCount, items] = [2000, Array.from({ length: 20 }, () => task('queued'))]
  let page = 0
  const fetch = async () => Response.json({ object: 'list', items, has_more: true, next_cursor: ++page < pageCount ? 'c' : null })
  const startedMs = performance.now()
  let itemCount = 0
  for await (const item of await new Framegate({ apiKey: 'key', fetch }).models.list()) itemCount += Object.keys(item).length && 1
  expect(itemCount).toBe(pageCount * items.length)
  // Quadratic growth would take eight seconds.
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})

it('a list ends if a page has no next_cursor', async () => {
  const { client, requests } = scriptedClient([{ status: 200, body: { object: 'list', items: [task('queued')] } }])
  await readAll(await client.tasks.list())
  expect(requests).toHaveLength(1)
})

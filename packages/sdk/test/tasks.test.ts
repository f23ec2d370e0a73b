import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Framegate, FramegateError, type Task } from '../src/index.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: Framegate
beforeAll(async () => {
  service = await startService()
  client = service.client
})
afterAll(() => service[Symbol.asyncDispose]())

/** A prompt without words that the renderer knows, which halves the CPU time of an image. */
const image = { model: 'imgA-5.0', prompt: 'x' } as const
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was not refused'),
    (error: FramegateError) => error,
  )

describe('tasks', () => {
  it('tasks.create, tasks.wait and tasks.get return the task of the service', async () => {
    const task = await client.tasks.create({ ...image, aspect_ratio: '3:2' })
    expect(task).toMatchObject({ id: expect.stringMatching(/^task_/), object: 'image', status: 'queued', error: null })
    const completed = await client.tasks.wait(task)
    expect(completed).toMatchObject({ id: task.id, status: 'completed', progress: 100, result_url: expect.any(String) })
    expect(await client.tasks.get(task.id)).toMatchObject({ id: task.id, status: 'completed', amount: completed.amount })
    // A task that has ended is not polled again.
    expect(await client.tasks.wait(completed)).toBe(completed)
  })

  it('tasks.createAndWait returns the completed task and reports each state', async () => {
    const reportedTasks: Task[] = []
    const task = await client.tasks.createAndWait(
      { ...image, simulate: { seconds: 1 } },
      { onTask: (state) => reportedTasks.push(state) },
    )
    expect(task.image_url).toBe(task.result_url)
    expect(reportedTasks[0]).toMatchObject({ id: task.id, status: 'queued' })
    expect(reportedTasks.at(-1)).toBe(task)
  })

  it('requests with the same idempotency key create one task', async () => {
    const [first, second] = await Promise.all([
      client.tasks.create(image, { idempotencyKey: 'order-4711' }),
      client.tasks.create(image, { idempotencyKey: 'order-4711' }),
    ])
    expect(second.id).toBe(first.id)
    expect((await client.tasks.create(image)).id).not.toBe(first.id)
    const reused = await refusalOf(client.tasks.create({ ...image, seed: 1 }, { idempotencyKey: 'order-4711' }))
    expect(reused).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
  })

  it('a task is created once when the first response is lost', async () => {
    const retries: string[] = []
    const task = await client.tasks.create(
      { model: 'vidDq3-pro', prompt: 'x', simulate: { lose_answer: true, outcome: 'stuck' } },
      { onRetry: ({ error, count }) => retries.push(`${count} ${error.code}`) },
    )
    expect(retries).toEqual(['1 connection_failed'])
    expect((await client.tasks.list({ model: 'vidDq3-pro' })).items.map(({ id }) => id)).toEqual([task.id])
    await client.tasks.cancel(task)
  })

  it('a failed task rejects with a code, a readable message and the task', async () => {
    const error = await refusalOf(client.tasks.createAndWait({ ...image, simulate: { outcome: 'content_policy' } }))
    expect(error).toBeInstanceOf(FramegateError)
    expect(error).toMatchObject({
      name: 'FramegateError',
      code: 'content_policy',
      status: null,
      task: { status: 'failed', amount: 0, error: expect.any(String) },
    })
    expect(error.message).toBe(`The task ${error.task?.id} failed: ${error.task?.error}`)
    expect(await refusalOf(client.tasks.wait(error.task?.id ?? ''))).toMatchObject({ code: 'content_policy' })
  })

  it('a task is cancelled once, by ID or by object', async () => {
    const task = await client.tasks.create({ ...image, simulate: { outcome: 'stuck' } })
    expect(await client.tasks.cancel(task.id)).toMatchObject({ status: 'failed', error_code: 'cancelled', amount: 0 })
    expect(await refusalOf(client.tasks.cancel(task))).toMatchObject({ status: 409, code: 'task_already_ended' })
  })

  it('a task is deleted by ID or by object, also repeatedly, and is then not found', async () => {
    const task = await client.tasks.create({ ...image, simulate: { outcome: 'stuck' } })
    const deleted = { id: task.id, object: 'task', deleted: true }
    expect([await client.tasks.delete(task), await client.tasks.delete(task.id)]).toEqual([deleted, deleted])
    expect(await refusalOf(client.tasks.get(task.id))).toMatchObject({ status: 404, code: 'task_not_found' })
    expect(await refusalOf(client.tasks.wait(task))).toMatchObject({ status: 404, code: 'task_not_found' })
  })

  it('tasks.deleteMany deletes tasks by filters, in batches', async () => {
    const model = 'vidC2Stable'
    for (let count = 0; count < 3; count++) await client.tasks.create({ model, prompt: 'x', simulate: { outcome: 'stuck' } })
    const firstBatch = await client.tasks.deleteMany({ model, limit: 2 })
    expect(firstBatch).toEqual({ object: 'deleted_tasks', deleted: 2, has_more: true, next_cursor: expect.any(String) })
    const secondBatch = await client.tasks.deleteMany({ model, cursor: firstBatch.next_cursor ?? undefined })
    expect(secondBatch).toEqual({ object: 'deleted_tasks', deleted: 1, has_more: false, next_cursor: null })
    expect(await refusalOf(client.tasks.deleteMany({}))).toMatchObject({ status: 400, param: 'all' })
  })

  it('tasks.quote returns every default and creates no task', async () => {
    const countBefore = (await client.tasks.list({ model: 'vidDq3-turbo' })).items.length
    const quote = await client.tasks.quote({ model: 'vidDq3-turbo', prompt: 'x', seconds: 2 })
    expect(quote).toMatchObject({ object: 'quote', amount: 0.12, available: true, reason: null })
    expect(quote.parameters).toMatchObject({ seconds: 2, resolution: '720p', aspect_ratio: '16:9' })
    expect(await client.tasks.quote({ model: 'imgA_5.0Pro', prompt: 'x' })).toMatchObject({ reason: 'brand_model_missing' })
    expect((await client.tasks.list({ model: 'vidDq3-turbo' })).items).toHaveLength(countBefore)
  })

  it('tasks.list returns filtered tasks, page by page or all', async () => {
    const ids: string[] = []
    const model = 'vidG_video3'
    for (let count = 0; count < 5; count++) {
      ids.unshift((await client.tasks.create({ model, prompt: 'x', simulate: { outcome: 'stuck' } })).id)
    }
    const page = await client.tasks.list({ model, limit: 2 })
    expect(JSON.parse(JSON.stringify(page))).toEqual({
      object: 'list',
      items: [expect.objectContaining({ id: ids[0] }), expect.objectContaining({ id: ids[1] })],
      has_more: true,
      next_cursor: expect.any(String),
    })
    const next = await client.tasks.list({ model, limit: 2, cursor: page.next_cursor ?? '' })
    expect(next.items.map(({ id }) => id)).toEqual(ids.slice(2, 4))
    const all: string[] = []
    for await (const { id } of page) all.push(id)
    expect(all).toEqual(ids)
    expect((await client.tasks.list({ model, status: 'completed' })).items).toEqual([])
    await Promise.all(ids.map((id) => client.tasks.cancel(id)))
  })
})

describe('models', () => {
  it('models.list covers all pages, and models.get finds IDs with spaces', async () => {
    const ids: string[] = []
    for await (const { id } of await client.models.list({ limit: 7 })) ids.push(id)
    expect(ids).toHaveLength(new Set(ids).size)
    expect(ids).toContain('vidK O3 Video Generation')
    const images: string[] = []
    for await (const { type, id } of await client.models.list({ object: 'image' })) images.push(`${type} ${id}`)
    expect(images).toEqual(['image imgA_5.0Pro', 'image imgA-5.0'])
    expect(await client.models.get('vidK O3 Video Generation')).toMatchObject({ family: 'vidK', available: true })
    expect(await refusalOf(client.models.get('vidX'))).toMatchObject({ status: 404, code: 'model_not_found' })
  })
})

describe('refusals', () => {
  it('a FramegateError has the code, parameter, request ID and every violation from the service', async () => {
    // @ts-expect-error -- the parameter is misspelled on purpose
    const error = await refusalOf(client.tasks.create({ model: 'vidDq3-turbo', prompt: 'x', second: 5, seconds: 99 }))
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'seconds',
      requestId: expect.stringMatching(/^req_/),
    })
    expect(error.errors[1]?.message).toContain("'seconds'")
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(['/seconds', '/second'])
  })

  it('the error for a wrong key does not contain the key', async () => {
    const stranger = new Framegate({ baseUrl: service.baseUrl, apiKey: 'fg_live_nobody' })
    const error = await refusalOf(stranger.tasks.list())
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', errors: [], task: null, retryAfterSeconds: null })
    expect(JSON.stringify([error, stranger]) + String(error.stack)).not.toContain('fg_live_nobody')
  })

  it('a simulated rate limit gives retryAfterSeconds', async () => {
    const call = client.tasks.create({ ...image, simulate: { refuse_with: 'rate_limited' } }, { maxRetries: 0 })
    expect(await refusalOf(call)).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: expect.any(Number) })
  })
})

describe('abort signals', () => {
  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['create', (signal) => client.tasks.create(image, { signal })],
    ['get', (signal) => client.tasks.get('task_0', { signal })],
    ['list', (signal) => client.tasks.list({ signal })],
    ['cancel', (signal) => client.tasks.cancel('task_0', { signal })],
    ['quote', (signal) => client.tasks.quote(image, { signal })],
    ['wait', (signal) => client.tasks.wait('task_0', { signal })],
    ['createAndWait', (signal) => client.tasks.createAndWait(image, { signal })],
    ['download', (signal) => client.tasks.download('task_0', { signal })],
    ['models.list', (signal) => client.models.list({ signal })],
    ['models.get', (signal) => client.models.get('imgA-5.0', { signal })],
  ])('%s with an aborted signal rejects with the reason', async (_name, call) => {
    await expect(call(AbortSignal.abort('enough'))).rejects.toBe('enough')
    await expect(call(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('an abort ends a wait, and cancels the task only with cancelOnAbort', async () => {
    for (const cancelOnAbort of [undefined, true]) {
      const controller = new AbortController()
      let id = ''
      const waiting = client.tasks.createAndWait(
        { ...image, simulate: { outcome: 'stuck' } },
        {
          signal: controller.signal,
          cancelOnAbort,
          onTask: (task) => {
            id = task.id
            setTimeout(() => controller.abort('enough'), 50)
          },
        },
      )
      await expect(waiting).rejects.toBe('enough')
      const { status, error_code } = await client.tasks.get(id)
      expect([status === 'failed', error_code]).toEqual(cancelOnAbort ? [true, 'cancelled'] : [false, undefined])
      if (!cancelOnAbort) await client.tasks.cancel(id)
    }
  })
})

describe('clients', () => {
  it('a client reads its key and address from the environment, and adds the default path to an origin', async () => {
    const environmentBefore = { ...process.env }
    try {
      Object.assign(process.env, { FRAMEGATE_URL: new URL(service.baseUrl).origin, FRAMEGATE_API_KEY: ` ${service.apiKey}\n` })
      const fromEnvironment = new Framegate()
      expect(fromEnvironment.baseUrl).toBe(service.baseUrl)
      expect((await fromEnvironment.models.get('imgA-5.0')).id).toBe('imgA-5.0')
      delete process.env['FRAMEGATE_URL']
      expect(new Framegate().baseUrl).toBe('http://127.0.0.1:8787/api')
      delete process.env['FRAMEGATE_API_KEY']
      expect(() => new Framegate()).toThrow(expect.objectContaining({ code: 'missing_api_key' }))
    } finally {
      process.env = environmentBefore
    }
  })

  it('a client finds a service without a base path from the origin alone', async () => {
    await using serviceAtRoot = await startService({ FRAMEGATE_BASE_PATH: '/' })
    const atOrigin = new Framegate({ baseUrl: new URL(serviceAtRoot.baseUrl).origin, apiKey: serviceAtRoot.apiKey })
    const [firstModel, otherModel] = await Promise.all([atOrigin.models.get('imgA-5.0'), atOrigin.models.get('veo-3.1')])
    expect([firstModel.id, otherModel.id, atOrigin.baseUrl]).toEqual(['imgA-5.0', 'veo-3.1', serviceAtRoot.baseUrl])
    const { id } = await atOrigin.tasks.create(image)
    const newAtOrigin = new Framegate({ baseUrl: new URL(serviceAtRoot.baseUrl).origin, apiKey: serviceAtRoot.apiKey })
    expect(await newAtOrigin.tasks.wait(id, { mode: 'stream' })).toMatchObject({ id, status: 'completed' })
    const wrongPathClient = new Framegate({ baseUrl: `${service.baseUrl}/nowhere`, apiKey: service.apiKey })
    expect(await refusalOf(wrongPathClient.models.list())).toMatchObject({ status: 404, code: 'route_not_found' })
  })

  it('a client keeps the default path when a request has an unknown path', async () => {
    const atOrigin = new Framegate({ baseUrl: new URL(service.baseUrl).origin, apiKey: service.apiKey })
    const unknownPath = await refusalOf(atOrigin.request({ method: 'GET', path: '/v2/nothing' }))
    expect(unknownPath).toMatchObject({ status: 404, code: 'route_not_found' })
    expect((await atOrigin.models.get('imgA-5.0')).id).toBe('imgA-5.0')
    expect(atOrigin.baseUrl).toBe(service.baseUrl)
  })

  it('a client follows no redirect, and sends neither its key nor its request to another server', async () => {
    const reached: string[] = []
    const otherServer = createServer(({ url }) => void reached.push(url ?? '')).listen(0, '127.0.0.1')
    await once(otherServer, 'listening')
    const location = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}/api`
    const redirectingServer = createServer((_request, response) => response.writeHead(307, { location }).end()).listen(
      0,
      '127.0.0.1',
    )
    await once(redirectingServer, 'listening')
    const redirected = new Framegate({
      baseUrl: `http://127.0.0.1:${(redirectingServer.address() as AddressInfo).port}`,
      apiKey: 'key',
    })
    const error = await refusalOf(redirected.tasks.create(image))
    expect(error).toMatchObject({ status: 307, code: 'unexpected_answer', message: expect.stringContaining(location) })
    expect(reached).toEqual([])
    for (const server of [redirectingServer, otherServer]) {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each([
    [{ baseUrl: 'localhost:8787', apiKey: 'k' }, 'invalid_option', 'baseUrl'],
    [{ baseUrl: 'not an address', apiKey: 'k' }, 'invalid_option', 'baseUrl'],
    [{ apiKey: 'secret\u00e9' }, 'invalid_option', 'apiKey'],
    [{ apiKey: '' }, 'missing_api_key', 'apiKey'],
    // The types reject an unknown option, but JavaScript does not.
    [{ apiKey: 'k', baseURL: 'http://127.0.0.1:8787' }, 'invalid_option', 'baseURL'],
    [{ apiKey: 'secret', api_key: 'k' }, 'invalid_option', 'api_key'],
  ])('a client rejects the options %j', (options, code, param) => {
    expect(() => new Framegate(options)).toThrow(
      expect.objectContaining({ code, param, message: expect.not.stringContaining('secret') }),
    )
  })
})

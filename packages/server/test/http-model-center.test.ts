import { TaskSchema } from '@framegate/contract/schemas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, resultUrlTtlSeconds, type HttpService } from './http-service.ts'
import { schemaViolations } from './schema-violations.ts'

const tasksPath = '/v2/model-center/tasks'
const imageBody = { model: 'imgA-5.0', prompt: 'A paper boat' }
const parameters = { prompt: 'A paper boat', aspect_ratio: '1:1', resolution: '1K', watermark: false }
let service: HttpService

beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

it('a submit gets 202 with the queued task, its URL in Location, and Retry-After', async () => {
  const startSeconds = Math.floor(Date.now() / 1000)
  const response = await service.request('POST', tasksPath, { body: imageBody })
  expect(response.status).toBe(202)
  expect(response.json).toEqual({
    id: expect.stringMatching(/^task_[0-9a-f]{12}7[0-9a-f]{19}$/),
    object: 'image',
    created: expect.any(Number),
    model: 'imgA-5.0',
    status: 'queued',
    progress: 0,
    amount: 0.04,
    actualDuration: null,
    error: null,
  })
  expect(response.json.created).toBeGreaterThanOrEqual(startSeconds)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('location')).toBe(`/api${tasksPath}/${response.json.id}`)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  const located = await service.request('GET', service.origin + response.headers.get('location'))
  expect(located.json).toEqual({ ...response.json, parameters })
})

it('an image task shows the documented fields from queued to completed', async () => {
  const { id, created } = (await service.request('POST', tasksPath, { body: { ...imageBody, seed: 7 } })).json
  await service.startAll()
  await service.progress(id, 40)
  const running = await service.request('GET', `${tasksPath}/${id}`)
  expect(running.json).toEqual({
    id,
    object: 'image',
    created,
    model: 'imgA-5.0',
    status: 'processing',
    progress: 40,
    amount: 0.04,
    actualDuration: null,
    error: null,
    seed: 7,
    started: expect.any(Number),
    parameters: { ...parameters, seed: 7 },
  })
  expect(running.headers.get('retry-after')).toBe('5')

  await service.complete(id, { chargeMicroCredits: 30_000 })
  const endedResponse = await service.request('GET', `${tasksPath}/${id}`)
  expect(endedResponse.headers.get('retry-after')).toBeNull()
  expect(endedResponse.json).toEqual({
    id,
    object: 'image',
    created,
    model: 'imgA-5.0',
    status: 'completed',
    progress: 100,
    result_url: expect.stringMatching(new RegExp(`^${service.baseUrl}/media/${id}\\.png\\?expires=\\d+&signature=[\\w-]+$`)),
    image_url: endedResponse.json.result_url,
    thumbnail_url: expect.stringMatching(
      new RegExp(`^${service.baseUrl}/media/${id}-thumbnail\\.webp\\?expires=\\d+&signature=[\\w-]+$`),
    ),
    results: [
      {
        url: endedResponse.json.result_url,
        thumbnail_url: endedResponse.json.thumbnail_url,
        type: 'image/png',
        width: 1024,
        height: 1024,
        seconds: null,
        bytes: 16,
        seed: 42,
      },
    ],
    expires_at: expect.any(Number),
    amount: 0.03,
    actualDuration: null,
    error: null,
    seed: 7,
    started: expect.any(Number),
    completed: expect.any(Number),
    parameters: { ...parameters, seed: 7 },
  })
  const lifetimeSeconds = endedResponse.json.expires_at - Date.now() / 1000
  expect(lifetimeSeconds).toBeGreaterThan(resultUrlTtlSeconds - 2)
  expect(lifetimeSeconds).toBeLessThanOrEqual(resultUrlTtlSeconds + 60)
  expect(schemaViolations(TaskSchema, endedResponse.json)).toEqual([])
  expect((await service.fetch(endedResponse.json.result_url)).status).toBe(200)
})

it('a completed video task shows the measured length and the link to the video', async () => {
  const { id } = (await service.request('POST', tasksPath, { body: { model: 'vidG_video3', prompt: 'A train', seconds: 6 } }))
    .json
  await service.startAll()
  await service.complete(id, { durationMs: 5_958 })
  const { json } = await service.request('GET', `${tasksPath}/${id}`)
  expect(json).toMatchObject({ object: 'video', actualDuration: 5.958, video_url: json.result_url, seed: 42 })
  expect(json).not.toHaveProperty('image_url')
  expect(json).not.toHaveProperty('seconds')
})

it('a failed task shows its reason and charges nothing', async () => {
  const { id } = (await service.request('POST', tasksPath, { body: imageBody })).json
  await service.startAll()
  await service.fail(id, { code: 'content_policy', message: 'The prompt asks for "something" that\nis not made.' })
  const { json } = await service.request('GET', `${tasksPath}/${id}`)
  expect(json).toMatchObject({
    status: 'failed',
    error: 'The prompt asks for "something" that\nis not made.',
    error_code: 'content_policy',
    amount: 0,
  })
  expect(json).not.toHaveProperty('result_url')
})

it('no response has the top-level fields code, msg or data', async () => {
  const { id } = (await service.request('POST', tasksPath, { body: imageBody })).json
  const responses = await Promise.all([
    service.request('GET', `${tasksPath}/${id}`),
    service.request('GET', tasksPath),
    service.request('GET', '/v2/model-center/models?limit=100'),
    service.request('POST', `${tasksPath}/quote`, { body: imageBody }),
    service.request('GET', '/v2/credits'),
    service.request('GET', '/nothing'),
  ])
  for (const { json } of responses) for (const name of ['code', 'msg', 'data']) expect(json).not.toHaveProperty(name)
})

it('a task whose result has expired has no URL, and its earlier ETag no longer matches', async () => {
  const { id } = (await service.request('POST', tasksPath, { body: imageBody })).json
  await service.startAll()
  await service.complete(id)
  const responseBefore = await service.request('GET', `${tasksPath}/${id}`)
  service.clockAheadMs = 8 * 24 * 3600 * 1000
  try {
    const responseAfter = await service.request('GET', `${tasksPath}/${id}`, {
      headers: { 'if-none-match': responseBefore.headers.get('etag') ?? '' },
    })
    expect(responseAfter.status).toBe(200)
    expect(responseAfter.json).toMatchObject({ status: 'completed', result_expired: true })
    expect(responseAfter.json).not.toHaveProperty('result_url')
    expect(responseAfter.json).not.toHaveProperty('image_url')
    expect(responseAfter.json).not.toHaveProperty('expires_at')
  } finally {
    service.clockAheadMs = 0
  }
})

it('a cancelled task fails, charges nothing and releases its hold', async () => {
  const { key } = await service.newAccount(1)
  const { id } = (await service.request('POST', tasksPath, { body: imageBody, key })).json
  expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 0.96, held: 0.04 })
  const cancelled = await service.request('POST', `${tasksPath}/${id}/cancel`, { key })
  expect(cancelled.status).toBe(200)
  expect(cancelled.json).toMatchObject({ id, status: 'failed', error_code: 'cancelled', amount: 0, error: expect.any(String) })
  expect((await service.request('GET', '/v2/credits', { key })).json).toMatchObject({ balance: 1, held: 0 })
  const repeated = await service.request('POST', `${tasksPath}/${id}/cancel`, { key, body: {} })
  expect([repeated.status, repeated.json.error.code]).toEqual([409, 'task_already_ended'])
})

it('a quote shows the price and the parameters of a submit without creating a task', async () => {
  const { key } = await service.newAccount(0.05)
  const quote = await service.request('POST', `${tasksPath}/quote`, { body: imageBody, key })
  expect(quote.status).toBe(200)
  expect(quote.json).toEqual({
    object: 'quote',
    model: 'imgA-5.0',
    amount: 0.04,
    available: true,
    reason: null,
    parameters: { prompt: 'A paper boat', aspect_ratio: '1:1', resolution: '1K', watermark: false },
  })
  const tooExpensive = await service.request('POST', `${tasksPath}/quote`, { body: { ...imageBody, resolution: '2K' }, key })
  expect(tooExpensive.json).toMatchObject({ amount: 0.08, available: false, reason: 'insufficient_credits' })
  const missing = await service.request('POST', `${tasksPath}/quote`, { body: { model: 'imgA_5.0Pro', prompt: 'x' }, key })
  expect(missing.json).toMatchObject({ amount: 0.08, available: false, reason: 'brand_model_missing' })
  const invalid = await service.request('POST', `${tasksPath}/quote`, { body: { ...imageBody, promt: 'x' }, key })
  expect([invalid.status, invalid.json.error.code]).toEqual([400, 'unknown_parameter'])
  expect((await service.request('GET', tasksPath, { key })).json.items).toEqual([])
})

it('the catalogue serves the list in pages, a model with spaces in its ID, and an unavailable model', async () => {
  const list = await service.request('GET', '/v2/model-center/models?limit=100')
  const ids = list.json.items.map((model: { id: string }) => model.id)
  expect(ids).toContain('vidK O3 Video Generation')
  expect(list.json.has_more).toBe(false)
  const single = await service.request('GET', `/v2/model-center/models/${encodeURIComponent('vidH 1.1 v2 Text To Video')}`)
  expect(single.json).toMatchObject({ id: 'vidH 1.1 v2 Text To Video', object: 'model', type: 'video', available: true })
  const pro = await service.request('GET', '/v2/model-center/models/imgA_5.0Pro')
  expect(pro.json).toMatchObject({ available: false, reason: 'brand_model_missing', parameters: { type: 'object' } })
  const first = await service.request('GET', '/v2/model-center/models?limit=7')
  const second = await service.request('GET', `/v2/model-center/models?limit=7&cursor=${first.json.next_cursor}`)
  expect([...first.json.items, ...second.json.items].map((model: { id: string }) => model.id)).toEqual(ids.slice(0, 14))
  expect((await service.request('GET', '/v2/model-center/models')).json.items).toHaveLength(20)
  expect((await service.request('GET', '/v2/model-center/models/nothing')).json.error.code).toBe('model_not_found')
})

it('the health check succeeds without a key', async () => {
  const response = await service.request('GET', `${service.origin}/healthz`, { key: null })
  expect([response.status, response.json]).toEqual([200, { status: 'ok' }])
})

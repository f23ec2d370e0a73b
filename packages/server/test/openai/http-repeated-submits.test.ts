import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../src/db/store-unavailable.ts'
import { MediaStoreError } from '../../src/media/media-store.ts'
import { metricsToken, openHttpService, type HttpService, type TestAccount } from '../http-service.ts'
import { openResponseCutter, type ResponseCutter } from './cut-responses.ts'

let service: HttpService
let cutter: ResponseCutter
let account: TestAccount
beforeAll(async () => {
  service = await openHttpService()
  cutter = await openResponseCutter(Number(new URL(service.origin).port))
})
afterAll(async () => {
  await cutter[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await service.newAccount(100)
})

afterEach(() => void vi.restoreAllMocks())

/** Returns a client with its own connections. */
function newClient(headers: Record<string, string | null> = {}): OpenAI {
  const baseURL = `http://127.0.0.1:${cutter.port}${new URL(service.baseUrl).pathname}/v1`
  return new OpenAI({ apiKey: account.key, baseURL, defaultHeaders: { connection: 'close', ...headers } })
}

const video = { model: 'vidC2Stable' as never, prompt: 'A train' }

async function listTaskIds(): Promise<string[]> {
  const { json } = await service.request('GET', '/v2/model-center/tasks', { key: account.key })
  return json.items.map(({ id }: { id: string }) => id)
}

it.each([
  ['before it begins', 0],
  ['in its head', 80],
  ['in its body', 700],
])('a client whose response is cut %s gets the first task for its retry', async (_where, bytes) => {
  cutter.cutAfter(bytes)
  const { id } = await newClient().videos.create(video)
  expect(await listTaskIds()).toEqual([id])
})

it('a retry that arrives while the first request is processed gets the first task', async () => {
  const send = (path: string, body: object, retries: number) =>
    service.request('POST', path, { body, key: account.key, headers: { 'x-stainless-retry-count': String(retries) } })
  for (let round = 0; round < 5; round++) {
    const body = { ...video, prompt: `Train ${round}` }
    const [first, second, third] = await Promise.all([0, 1, 2].map((retries) => send('/v1/videos', body, retries)))
    expect([second!.json.id, third!.json.id]).toEqual([first!.json.id, first!.json.id])
  }
  account = await service.newAccount(100)
  const imagesBody = { model: 'imgA-5.0', prompt: 'A lake', n: 2, response_format: 'url' }
  const responses = Promise.all([0, 1].map((retries) => send('/v1/images/generations', imagesBody, retries)))
  await expect.poll(listTaskIds).toHaveLength(2)
  await service.startAll()
  for (const id of await listTaskIds()) await service.complete(id, { durationMs: null })
  expect((await responses).map(({ status }) => status)).toEqual([200, 200])
  expect(await listTaskIds()).toHaveLength(2)
})

it('a client whose response is cut twice gets the first task', async () => {
  cutter.cutAfter(0, 80)
  const { id } = await newClient().videos.create(video)
  expect(await listTaskIds()).toEqual([id])
})

it('two equal requests create two tasks, and each retry gets its own task', async () => {
  cutter.cutAfter(0, 0)
  const created = await Promise.all([newClient().videos.create(video), newClient().videos.create(video)])
  expect((await listTaskIds()).toSorted()).toEqual(created.map(({ id }) => id).toSorted())
  await newClient().videos.create(video)
  expect(await listTaskIds()).toHaveLength(3)
})

it('a request that differs in one field creates its own task even if it is marked as a retry', async () => {
  cutter.cutAfter(0)
  await newClient().videos.create(video)
  await newClient({ 'x-stainless-retry-count': '1' }).videos.create({ ...video, prompt: 'A tram' })
  expect(await listTaskIds()).toHaveLength(2)
})

it('a retry of a request that never arrived creates a task if the client has queried the task of an equal request', async () => {
  const firstVideo = await newClient().videos.create(video)
  await newClient().videos.retrieve(firstVideo.id)
  await expect.poll(() => countIdempotencyKeys()).toBe(0)
  cutter.cutAfter(-1)
  const secondVideo = await newClient().videos.create(video)
  expect((await listTaskIds()).toSorted()).toEqual([firstVideo.id, secondVideo.id].toSorted())
})

it('a response counts as received if its connection is still open a second later', async () => {
  const { id } = await newClient({ connection: 'keep-alive' }).videos.create(video)
  await expect.poll(() => countIdempotencyKeys()).toBe(0)
  const repeated = await newClient({ 'x-stainless-retry-count': '1' }).videos.create(video)
  expect(repeated.id).not.toBe(id)
})

it('a response through a proxy counts as received only after a query', async () => {
  const headers = { connection: 'keep-alive', 'x-forwarded-for': '203.0.113.7' }
  const { id } = await newClient(headers).videos.create(video)
  await sleep(1_500)
  const repeated = await newClient({ ...headers, 'x-stainless-retry-count': '1' }).videos.create(video)
  expect(repeated.id).toBe(id)
})

it('a retry after more than 15 minutes creates a task', async () => {
  cutter.cutAfter(0)
  const { id } = await newClient({}).videos.create(video)
  service.clockAheadMs += 16 * 60_000
  const laterVideo = await newClient({ 'x-stainless-retry-count': '5' }).videos.create(video)
  expect(laterVideo.id).not.toBe(id)
})

it('a submit of a client that does not count its retries stores no idempotency key', async () => {
  await newClient({ 'x-stainless-retry-count': null }).videos.create(video)
  expect(await countIdempotencyKeys()).toBe(0)
  await newClient().videos.create(video)
  expect(await countIdempotencyKeys()).toBe(1)
})

it('an account never gets a task of another account', async () => {
  cutter.cutAfter(0)
  const { id } = await newClient().videos.create(video)
  account = await service.newAccount(100)
  const otherVideo = await newClient({ 'x-stainless-retry-count': '5' }).videos.create(video)
  expect(otherVideo.id).not.toBe(id)
})

it('images of an interrupted request are generated once', async () => {
  cutter.cutAfter(0)
  const created = newClient().images.generate({ model: 'imgA-5.0', prompt: 'A lake', n: 2, response_format: 'url' })
  await expect.poll(listTaskIds).toHaveLength(2)
  await service.startAll()
  for (const id of await listTaskIds()) await service.complete(id, { durationMs: null })
  expect((await created).data).toHaveLength(2)
  expect(await listTaskIds()).toHaveLength(2)
})

it('images are returned although the database cannot be reached for a moment during the wait', async () => {
  vi.spyOn(service.store, 'peek').mockReturnValue(undefined)
  vi.spyOn(service.store, 'find').mockRejectedValueOnce(new StoreUnavailable())
  const lake = { model: 'imgA-5.0', prompt: 'A lake', response_format: 'url' } as const
  const created = newClient().images.generate(lake, { maxRetries: 0 })
  await expect.poll(listTaskIds).toHaveLength(1)
  await service.startAll()
  for (const id of await listTaskIds()) await service.complete(id, { durationMs: null })
  expect((await created).data).toHaveLength(1)
})

/** Returns the number of cancelled tasks of `imgA-5.0`, according to the metrics. */
async function countCancelledImages(): Promise<number> {
  const { text } = await service.request('GET', `${service.origin}/metrics`, { key: metricsToken })
  return Number(/^framegate_tasks_ended_total\{model="imgA-5.0",status="failed",error="cancelled"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

it.each([
  ['with an Idempotency-Key', () => ({ 'idempotency-key': 'two lakes' })],
  ['marked by its client', (retries: number) => ({ 'x-stainless-retry-count': String(retries) })],
])('a retry %s of a rejected request for images gets none of the tasks that the rejection cancelled', async (_how, headersOf) => {
  account = await service.newAccount(100, undefined, { tasksInFlightMax: 2 })
  const running = await newClient().videos.create(video)
  const create = (retries: number) =>
    newClient(headersOf(retries)).images.generate(
      { model: 'imgA-5.0', prompt: 'A lake', n: 2, response_format: 'url' },
      { maxRetries: 0 },
    )
  const cancelledBefore = await countCancelledImages()
  await expect(create(0)).rejects.toMatchObject({ status: 429 })
  expect(await countCancelledImages()).toBe(cancelledBefore + 1)
  await service.request('POST', `/v2/model-center/tasks/${running.id}/cancel`, { key: account.key })
  const retried = create(1)
  await expect.poll(listOpenIds).toHaveLength(2)
  await service.startAll()
  for (const id of await listOpenIds()) await service.complete(id, { durationMs: null })
  expect((await retried).data).toHaveLength(2)
})

it.each([
  ['could not be read', 503, () => Promise.reject(new MediaStoreError('unavailable', 'no response'))],
  ['were damaged', 500, async () => ({ stream: Readable.from(['an']), sizeBytes: 2 })],
])('if the finished images of a request %s, its retry gets these images', async (_how, status, open) => {
  const send = (retries: number) =>
    service.request('POST', '/v1/images/generations', {
      body: { model: 'imgA-5.0', prompt: 'A dune' },
      key: account.key,
      headers: { 'x-stainless-retry-count': String(retries) },
    })
  const unreadable = vi.spyOn(service.mediaStore, 'open').mockImplementation(open)
  const firstResponse = send(0)
  await expect.poll(listTaskIds).toHaveLength(1)
  await service.startAll()
  for (const id of await listTaskIds()) await service.complete(id, { durationMs: null })
  expect((await firstResponse).status).toBe(status)
  unreadable.mockRestore()
  await sleep(1_500)
  expect((await send(1)).status).toBe(200)
  expect(await listTaskIds()).toHaveLength(1)
})

it('a request for another number of images with the same Idempotency-Key is rejected', async () => {
  const earlier = generateLakes('lakes', 2)
  await expect.poll(listOpenIds).toHaveLength(2)
  for (const n of [1, 3]) {
    const reused = { status: 409, code: 'idempotency_key_reused', param: 'Idempotency-Key' }
    await expect(generateLakes('lakes', n)).rejects.toMatchObject(reused)
  }
  expect(await listOpenIds()).toHaveLength(2)
  await service.startAll()
  for (const id of await listOpenIds()) await service.complete(id, { durationMs: null })
  await earlier
})

it('the tasks of a request with an Idempotency-Key get keys that no other request can have', async () => {
  const requests = [generateLakes('lake', 3)]
  await expect.poll(listOpenIds).toHaveLength(3)
  requests.push(generateLakes('lake 1', 1), generateLakes('lake1', 1))
  await expect.poll(listOpenIds).toHaveLength(5)
  await service.startAll()
  for (const id of await listOpenIds()) await service.complete(id, { durationMs: null })
  await Promise.all(requests)
})

async function generateLakes(idempotencyKey: string, n: number): Promise<void> {
  const images = { model: 'imgA-5.0', prompt: 'A lake', n, response_format: 'url' } as const
  await newClient({ 'idempotency-key': idempotencyKey }).images.generate(images, { maxRetries: 0 })
}

async function listOpenIds(): Promise<string[]> {
  const { json } = await service.request('GET', '/v2/model-center/tasks', { key: account.key })
  return json.items
    .filter(({ status }: { status: string }) => status === 'queued' || status === 'processing')
    .map(({ id }: { id: string }) => id)
}

async function countIdempotencyKeys(): Promise<number> {
  const { accountNo } = account
  const keys = await service.store.database
    .selectFrom('idempotency_keys')
    .select('key')
    .where('account_no', '=', accountNo)
    .execute()
  return keys.length
}

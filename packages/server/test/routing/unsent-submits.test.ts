import type { Asset } from '@framegate/contract'
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { packetVideo } from '../packet-video.ts'
import { plainPng } from '../plain-png.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { openLimitedUpstream, refusedWith, type LimitedUpstream } from './limited-upstream.ts'

const models = ['vidK O3 Video Generation', 'vidB_1_5_pro_720p', 'vidM-H3-768p'] as const
const [model] = models

/** All tests share one service. Each test sets the routes that it needs. */
let service: ServiceWithUpstreams
let a: LimitedUpstream
let b: LimitedUpstream
/** A server that resets every connection before it reads from it. */
let resettingServer: Server

beforeAll(async () => {
  const media = await packetVideo()
  a = await openLimitedUpstream(media)
  b = await openLimitedUpstream(media)
  resettingServer = createServer((socket) => void socket.on('error', () => undefined).resetAndDestroy())
  resettingServer.listen(0, '127.0.0.1')
  await once(resettingServer, 'listening')
  service = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await a[Symbol.asyncDispose]()
  await b[Symbol.asyncDispose]()
  resettingServer.close()
})
beforeEach(() => {
  for (const upstream of [a, b]) {
    upstream.jobMs = 0
    upstream.submits.length = 0
    upstream.refuse = () => undefined
  }
})

function routeOf(name: string, upstream: string, overrides = {}): Record<string, unknown> {
  return { model: name, upstream, upstream_model: 'sora-2', ...overrides }
}

/** Returns the reason why a task waits, as the client sees it. */
async function readWaitReason(id: string): Promise<string | undefined> {
  const lastEvent = (await service.timeline(id)).at(-1) as { event: string; for?: string } | undefined
  return lastEvent?.event === 'waiting' ? lastEvent.for : undefined
}

function readAttempts(id: string): Record<string, unknown>[] {
  return service.rows(
    `select state, detail, unresolved, started_at, ended_at from task_attempts where task_no = ${taskNoOf(id)} order by number`,
  )
}

it('tasks wait while their upstream resets connections, lacks TLS or has an unknown host, and are submitted afterwards', async () => {
  const { port } = resettingServer.address() as AddressInfo
  const unreachableUrls = {
    reset: `https://127.0.0.1:${port}/v1`,
    // The simulator does not support TLS.
    withoutTls: `${a.simulator.origin.replace('http:', 'https:')}/v1`,
    unknownHost: 'http://upstream.invalid/v1',
  }
  const names = Object.keys(unreachableUrls)
  const routes = names.map((name, index) => routeOf(models[index] ?? '', name))
  await service.use({
    upstreams: Object.fromEntries(
      Object.entries(unreachableUrls).map(([name, url]) => [name, { driver: 'openai', base_url: url, api_key: openaiKey }]),
    ),
    routes,
  })
  const ids = await Promise.all(models.map((modelName) => service.submit({ model: modelName, prompt: 'a kite' })))
  for (const id of ids) {
    await vi.waitUntil(() => readAttempts(id)[0]?.['ended_at'] != null, { timeout: 20_000 })
    await vi.waitUntil(async () => (await readWaitReason(id)) === 'provider_unavailable', { timeout: 20_000 })
    expect(await service.task(id)).toMatchObject({ status: 'queued', error: null })
    for (const { state, detail, unresolved } of readAttempts(id)) {
      expect([state, detail, unresolved]).toEqual(['not_accepted', expect.stringContaining('no connection could be made'), null])
    }
  }
  expect(a.submits).toEqual([])
  await service.use({ upstreams: Object.fromEntries(names.map((name) => [name, a.definition()])), routes })
  for (const id of ids) await service.until(id, 'completed')
  expect(a.submits).toHaveLength(models.length)
})

it('a task whose image cannot be read waits, is tried again a second later, and is submitted once', async () => {
  await service.use({ upstreams: { a: a.definition() }, routes: [routeOf(model, 'a')] })
  const url = `data:image/png;base64,${plainPng(1280, 720).toString('base64')}`
  const asset = (await (await service.server.request('POST', '/v2/assets/import', { url })).json()) as Asset
  const media = path.join(service.dataDir, 'media')
  const name = readdirSync(media, { recursive: true, encoding: 'utf8' }).find((file) => path.basename(file).startsWith(asset.id))
  const file = path.join(media, name ?? '')
  // Simulates a disk failure.
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  const id = await service.submit({ model, prompt: 'a kite', first_frame: `asset:${asset.id}` })
  await vi.waitUntil(() => readAttempts(id).length >= 2, { timeout: 20_000 })
  expect(await service.task(id)).toMatchObject({ status: 'queued', error: null })
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  await service.until(id, 'completed')
  const [firstAttempt, secondAttempt] = readAttempts(id)
  expect(firstAttempt).toMatchObject({
    state: 'not_accepted',
    detail: expect.stringMatching(/the file of asset_\w+ has \d+ bytes instead of \d+/),
    unresolved: null,
  })
  // The time is taken before the end of the attempt is written.
  expect(Number(secondAttempt?.['started_at']) - Number(firstAttempt?.['started_at'])).toBeGreaterThanOrEqual(1_000)
  expect(a.submits).toHaveLength(1)
})

it('waiting tasks are assigned to the new routes when the routes change, and those that no route can serve keep waiting', async () => {
  a.jobMs = Infinity
  const seeded = { parameters: { seed: 'seed' } }
  await service.use({ upstreams: { a: a.definition({ in_flight_max: 1 }) }, routes: [routeOf(model, 'a', seeded)] })
  const runningId = await service.submit({ model, prompt: 'running' })
  await vi.waitUntil(() => a.runningCount() === 1, { timeout: 20_000 })
  const plainId = await service.submit({ model, prompt: 'plain' })
  const unservableId = await service.submit({ model, prompt: 'with a seed', seed: 7 })
  await service.use({ upstreams: { b: b.definition() }, routes: [routeOf(model, 'b')] })
  await service.until(plainId, 'completed')
  expect(await service.task(unservableId)).toMatchObject({ status: 'queued', error: null })
  await service.use({ upstreams: { b: b.definition() }, routes: [routeOf(model, 'b', seeded)] })
  await service.until(unservableId, 'completed')
  expect(b.submits.map(({ prompt }) => prompt)).toEqual(['plain', 'with a seed'])
  a.finishAll()
  await service.until(runningId, 'completed')
  expect(a.submits).toHaveLength(1)
})

it('a task never goes to a route that stopped serving one of its parameters while the task waited', async () => {
  a.jobMs = b.jobMs = Infinity
  const limits = { in_flight_max: 1 }
  const upstreams = { a: a.definition(limits), b: b.definition(limits) }
  const seeded = { parameters: { seed: 'seed' } }
  await service.use({ upstreams, routes: [routeOf(model, 'a', seeded), routeOf(model, 'b', seeded)] })
  const runningIds = await Promise.all(['first', 'second'].map((prompt) => service.submit({ model, prompt })))
  await vi.waitUntil(() => a.runningCount() + b.runningCount() === 2, { timeout: 20_000 })
  const plainId = await service.submit({ model, prompt: 'plain' })
  const seededId = await service.submit({ model, prompt: 'with a seed', seed: 7 })
  await service.use({ upstreams, routes: [routeOf(model, 'a', seeded), routeOf(model, 'b')] })
  b.finishAll()
  await service.until(plainId, 'completed')
  a.finishAll()
  for (const id of [...runningIds, seededId]) await service.until(id, 'completed')
  expect(a.submits.map(({ prompt }) => prompt)).toContain('with a seed')
  expect(b.submits.map(({ prompt }) => prompt)).not.toContain('with a seed')
})

it('when a task that waits for a limit of its account is cancelled, a later task that fits the limit is submitted', async () => {
  a.jobMs = Infinity
  const [, modelWithSeconds] = models
  await service.use({ upstreams: { a: a.definition() }, routes: [routeOf(modelWithSeconds, 'a')] })
  const body = { model: modelWithSeconds, prompt: 'a kite', seconds: 5 }
  const quote = (await (await service.server.request('POST', '/v2/model-center/tasks/quote', body)).json()) as { amount: number }
  const [{ id: account = '' } = {}] = service.rows('select id from accounts order by no')
  const setLimit = (credits: number | null) =>
    service.server.request('PATCH', `/admin/v1/accounts/${String(account)}`, {
      credits_in_flight_max: credits,
      over_limit: 'wait',
    })
  expect((await setLimit(2 * quote.amount)).status).toBe(200)
  const ids = [await service.submit({ ...body, prompt: 'running' })]
  await vi.waitUntil(() => a.runningCount() === 1, { timeout: 20_000 })
  const largeId = await service.submit({ ...body, prompt: 'large', seconds: 10 })
  ids.push(await service.submit({ ...body, prompt: 'small' }))
  await service.server.request('POST', `/v2/model-center/tasks/${largeId}/cancel`)
  await vi.waitUntil(() => a.runningCount() === 2, { timeout: 5_000 })
  a.finishAll()
  for (const id of ids) await service.until(id, 'completed')
  await setLimit(null)
  expect(a.submits.map(({ prompt }) => prompt)).toEqual(['running', 'small'])
})

it('a failed probe of the previous URL of an upstream does not pause the upstream at its new URL', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const keyRefused = refusedWith(401, 'invalid_api_key')
  b.refuse = () => keyRefused
  b.simulator.next('probe', keyRefused)
  b.simulator.meanwhile('probe', () => released)
  await service.use({ upstreams: { main: b.definition() }, routes: [routeOf(model, 'main')] })
  const probesBefore = b.simulator.of('probe').length
  const firstId = await service.submit({ model, prompt: 'first' })
  await vi.waitUntil(() => b.simulator.of('probe').length > probesBefore, { timeout: 20_000 })
  await service.use({ upstreams: { main: a.definition() }, routes: [routeOf(model, 'main')] })
  release()
  // The response to the probe arrives in this time. If it paused the upstream, the next submit
  // would be rejected.
  await sleep(500)
  const secondId = await service.submit({ model, prompt: 'second' })
  for (const id of [firstId, secondId]) await service.until(id, 'completed')
  expect(a.submits).toHaveLength(2)
})

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
let to: ServiceWithUpstreams
let a: LimitedUpstream
let b: LimitedUpstream
/** A server that resets every connection before it reads from it. */
let resetting: Server

beforeAll(async () => {
  const media = await packetVideo()
  a = await openLimitedUpstream(media)
  b = await openLimitedUpstream(media)
  resetting = createServer((socket) => void socket.on('error', () => undefined).resetAndDestroy())
  resetting.listen(0, '127.0.0.1')
  await once(resetting, 'listening')
  to = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await to[Symbol.asyncDispose]()
  await a[Symbol.asyncDispose]()
  await b[Symbol.asyncDispose]()
  resetting.close()
})
beforeEach(() => {
  for (const upstream of [a, b]) {
    upstream.jobMs = 0
    upstream.submits.length = 0
    upstream.refuse = () => undefined
  }
})

function route(name: string, upstream: string, more = {}): Record<string, unknown> {
  return { model: name, upstream, upstream_model: 'sora-2', ...more }
}

/** Returns the reason why a task waits, as the client sees it. */
async function waitsFor(id: string): Promise<string | undefined> {
  const last = (await to.timeline(id)).at(-1) as { event: string; for?: string } | undefined
  return last?.event === 'waiting' ? last.for : undefined
}

function attemptsAt(id: string): Record<string, unknown>[] {
  return to.rows(
    `select state, detail, unresolved, started_at, ended_at from task_attempts where task_no = ${taskNoOf(id)} order by number`,
  )
}

it('tasks wait while their upstream cannot be reached, for any reason, and are submitted afterwards', async () => {
  const { port } = resetting.address() as AddressInfo
  const broken = {
    reset: `https://127.0.0.1:${port}/v1`,
    // The simulator does not support TLS.
    plain: `${a.simulator.origin.replace('http:', 'https:')}/v1`,
    nameless: 'http://upstream.invalid/v1',
  }
  const names = Object.keys(broken)
  const routes = names.map((name, index) => route(models[index] ?? '', name))
  await to.use({
    upstreams: Object.fromEntries(
      Object.entries(broken).map(([name, url]) => [name, { driver: 'openai', base_url: url, api_key: openaiKey }]),
    ),
    routes,
  })
  const ids = await Promise.all(models.map((each) => to.submit({ model: each, prompt: 'a kite' })))
  for (const id of ids) {
    await vi.waitUntil(() => attemptsAt(id)[0]?.['ended_at'] != null, { timeout: 20_000 })
    await vi.waitUntil(async () => (await waitsFor(id)) === 'provider_unavailable', { timeout: 20_000 })
    expect(await to.task(id)).toMatchObject({ status: 'queued', error: null })
    for (const { state, detail, unresolved } of attemptsAt(id)) {
      expect([state, detail, unresolved]).toEqual(['not_accepted', expect.stringContaining('no connection could be made'), null])
    }
  }
  expect(a.submits).toEqual([])
  await to.use({ upstreams: Object.fromEntries(names.map((name) => [name, a.definition()])), routes })
  for (const id of ids) await to.until(id, 'completed')
  expect(a.submits).toHaveLength(models.length)
})

it('a task whose image cannot be read waits, is tried again a second later, and is submitted once', async () => {
  await to.use({ upstreams: { a: a.definition() }, routes: [route(model, 'a')] })
  const url = `data:image/png;base64,${plainPng(1280, 720).toString('base64')}`
  const asset = (await (await to.server.request('POST', '/v2/assets/import', { url })).json()) as Asset
  const media = path.join(to.dataDir, 'media')
  const name = readdirSync(media, { recursive: true, encoding: 'utf8' }).find((file) => path.basename(file).startsWith(asset.id))
  const file = path.join(media, name ?? '')
  // Simulates a disk failure.
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  const id = await to.submit({ model, prompt: 'a kite', first_frame: `asset:${asset.id}` })
  await vi.waitUntil(() => attemptsAt(id).length >= 2, { timeout: 20_000 })
  expect(await to.task(id)).toMatchObject({ status: 'queued', error: null })
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  await to.until(id, 'completed')
  const [first, second] = attemptsAt(id)
  expect(first).toMatchObject({
    state: 'not_accepted',
    detail: expect.stringMatching(/the file of asset_\w+ has \d+ bytes instead of \d+/),
    unresolved: null,
  })
  expect(Number(second?.['started_at']) - Number(first?.['ended_at'])).toBeGreaterThanOrEqual(1_000)
  expect(a.submits).toHaveLength(1)
})

it('waiting tasks are placed again when the routes change, and those that no route can serve keep waiting', async () => {
  a.jobMs = Infinity
  const seeded = { parameters: { seed: 'seed' } }
  await to.use({ upstreams: { a: a.definition({ in_flight_max: 1 }) }, routes: [route(model, 'a', seeded)] })
  const running = await to.submit({ model, prompt: 'running' })
  await vi.waitUntil(() => a.running() === 1, { timeout: 20_000 })
  const plain = await to.submit({ model, prompt: 'plain' })
  const unservable = await to.submit({ model, prompt: 'with a seed', seed: 7 })
  await to.use({ upstreams: { b: b.definition() }, routes: [route(model, 'b')] })
  await to.until(plain, 'completed')
  expect(await to.task(unservable)).toMatchObject({ status: 'queued', error: null })
  await to.use({ upstreams: { b: b.definition() }, routes: [route(model, 'b', seeded)] })
  await to.until(unservable, 'completed')
  expect(b.submits.map(({ prompt }) => prompt)).toEqual(['plain', 'with a seed'])
  a.finishAll()
  await to.until(running, 'completed')
  expect(a.submits).toHaveLength(1)
})

it('a task never goes to a route that stopped serving one of its parameters while the task waited', async () => {
  a.jobMs = b.jobMs = Infinity
  const limits = { in_flight_max: 1 }
  const upstreams = { a: a.definition(limits), b: b.definition(limits) }
  const seeded = { parameters: { seed: 'seed' } }
  await to.use({ upstreams, routes: [route(model, 'a', seeded), route(model, 'b', seeded)] })
  const running = await Promise.all(['first', 'second'].map((prompt) => to.submit({ model, prompt })))
  await vi.waitUntil(() => a.running() + b.running() === 2, { timeout: 20_000 })
  const plain = await to.submit({ model, prompt: 'plain' })
  const withSeed = await to.submit({ model, prompt: 'with a seed', seed: 7 })
  await to.use({ upstreams, routes: [route(model, 'a', seeded), route(model, 'b')] })
  b.finishAll()
  await to.until(plain, 'completed')
  a.finishAll()
  for (const id of [...running, withSeed]) await to.until(id, 'completed')
  expect(a.submits.map(({ prompt }) => prompt)).toContain('with a seed')
  expect(b.submits.map(({ prompt }) => prompt)).not.toContain('with a seed')
})

it('a task behind a cancelled one that waited for a limit of the account is submitted once it fits', async () => {
  a.jobMs = Infinity
  const [, timed] = models
  await to.use({ upstreams: { a: a.definition() }, routes: [route(timed, 'a')] })
  const body = { model: timed, prompt: 'a kite', seconds: 5 }
  const quote = (await (await to.server.request('POST', '/v2/model-center/tasks/quote', body)).json()) as { amount: number }
  const [{ id: account = '' } = {}] = to.rows('select id from accounts order by no')
  const limit = (credits: number | null) =>
    to.server.request('PATCH', `/admin/v1/accounts/${String(account)}`, { credits_in_flight_max: credits, over_limit: 'wait' })
  expect((await limit(2 * quote.amount)).status).toBe(200)
  const ids = [await to.submit({ ...body, prompt: 'running' })]
  await vi.waitUntil(() => a.running() === 1, { timeout: 20_000 })
  const large = await to.submit({ ...body, prompt: 'large', seconds: 10 })
  ids.push(await to.submit({ ...body, prompt: 'small' }))
  await to.server.request('POST', `/v2/model-center/tasks/${large}/cancel`)
  await vi.waitUntil(() => a.running() === 2, { timeout: 5_000 })
  a.finishAll()
  for (const id of ids) await to.until(id, 'completed')
  await limit(null)
  expect(a.submits.map(({ prompt }) => prompt)).toEqual(['running', 'small'])
})

it('a probe of an address that is no longer in use does not pause the upstream that was moved', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const keyRefused = refusedWith(401, 'invalid_api_key')
  b.refuse = () => keyRefused
  b.simulator.next('probe', keyRefused)
  b.simulator.meanwhile('probe', () => released)
  await to.use({ upstreams: { main: b.definition() }, routes: [route(model, 'main')] })
  const probes = b.simulator.of('probe').length
  const first = await to.submit({ model, prompt: 'first' })
  await vi.waitUntil(() => b.simulator.of('probe').length > probes, { timeout: 20_000 })
  await to.use({ upstreams: { main: a.definition() }, routes: [route(model, 'main')] })
  release()
  // This time is long enough for the response to the probe. A submit to an upstream that is out of
  // service is rejected.
  await sleep(500)
  const second = await to.submit({ model, prompt: 'second' })
  for (const id of [first, second]) await to.until(id, 'completed')
  expect(a.submits).toHaveLength(2)
})

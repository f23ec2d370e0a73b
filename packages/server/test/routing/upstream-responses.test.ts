import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { openCuttableProxy } from '../cuttable-proxy.ts'
import { packetVideo } from '../packet-video.ts'
import { framegateKey, framegateProtocol, errorResponse } from '../upstreams/framegate.protocol.ts'
import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator } from '../upstreams/simulator.ts'
import { xaiKey, xaiProtocol } from '../upstreams/xai.protocol.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { openLimitedUpstream, refusedWith, tooManyRequests, type LimitedUpstream } from './limited-upstream.ts'

const model = 'vidK O3 Video Generation'
const otherModel = 'vidB_1_5_pro_720p'

/** All tests share one service. Each test sets the routes that it needs. */
let service: ServiceWithUpstreams
let a: LimitedUpstream
let media: Buffer

beforeAll(async () => {
  media = await packetVideo()
  a = await openLimitedUpstream(media)
  service = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await a[Symbol.asyncDispose]()
})
beforeEach(() => {
  a.jobMs = 0
  a.submits.length = 0
  a.refuse = () => undefined
})

function routeOf(upstream: string, overrides = {}): Record<string, unknown> {
  return { model, upstream, upstream_model: 'sora-2', ...overrides }
}

function readAttempts(id: string): Record<string, unknown>[] {
  return service.rows(`select state, detail, paid from task_attempts where task_no = ${taskNoOf(id)} order by number`)
}

/**
 * Returns the age of the oldest queued task of a model from the metrics, in seconds. Returns 0 if
 * no task is queued.
 */
async function readQueueAge(modelName: string): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', service.server.baseUrl))).text()
  const line = metrics
    .split('\n')
    .find((metricLine) => metricLine.startsWith(`framegate_queue_age_seconds{model="${modelName}"}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Returns the results of an operator's test of all routes. */
async function testRoutes(): Promise<Record<string, unknown>[]> {
  const response = await service.server.request('POST', '/admin/v1/routes/test', {})
  return ((await response.json()) as { results: Record<string, unknown>[] }).results
}

it('a gateway without GET /models is used again after a failed connection, with one task first', async () => {
  await using proxy = await openCuttableProxy(Number(new URL(a.simulator.origin).port))
  proxy.refuse()
  await service.use({ upstreams: { a: a.definition({ base_url: `http://127.0.0.1:${proxy.port}/v1` }) }, routes: [routeOf('a')] })
  const ids = await Promise.all([1, 2, 3].map((kite) => service.submit({ model, prompt: `kite ${kite}` })))
  await vi.waitUntil(() => service.rows(`select no from slot_pools where condition = 'unavailable'`).length > 0, {
    timeout: 10_000,
  })
  for (let probes = 0; probes < 10; probes++) a.simulator.next('probe', refusedWith(404, 'not_found'))
  // The response to the first submit takes 700 ms.
  a.refuse = async () => void (a.submits.length === 1 && (await sleep(700)))
  await proxy.admit()
  for (const id of ids) await service.until(id, 'completed')
  const [firstSubmit, secondSubmit] = a.submits
  expect((secondSubmit?.atMs ?? 0) - (firstSubmit?.atMs ?? 0)).toBeGreaterThanOrEqual(700)
  expect(await testRoutes()).toMatchObject([{ outcome: 'no_free_probe', message: expect.stringContaining('HTTP 404') }])
})

it('a parameter that one upstream does not support pauses no route, and the task goes to the next route or fails', async () => {
  await using simulator = await Simulator.open(framegateProtocol)
  simulator.moves = ['succeeded']
  simulator.media = media
  const unknownParameter = errorResponse(400, 'invalid_request_error', 'unknown_parameter', 'There is no seed.', 'seed')
  const upstreams = {
    other: { driver: 'framegate', base_url: `${simulator.origin}/api`, api_key: framegateKey },
    a: a.definition(),
  }
  const routes = [
    { model, upstream: 'other', upstream_model: 'sd_2.0_special' },
    routeOf('a', { priority: 1, parameters: { seed: 'seed' } }),
  ]
  await service.use({ upstreams, routes })
  simulator.next('submit', unknownParameter)
  const failedOverId = await service.submit({ model, prompt: 'a kite', seed: 7 })
  await service.until(failedOverId, 'completed')
  expect([simulator.of('submit').length, a.submits.length]).toEqual([1, 1])

  // The remaining route cannot be used yet. The task waits only for this route, even after a
  // restart.
  a.refuse = () => tooManyRequests('3')
  simulator.next('submit', unknownParameter)
  const waitingId = await service.submit({ model, prompt: 'a kite', seed: 8 })
  // A kill before the second response is recorded would leave the outcome of the submit unknown.
  const countRefused = () => readAttempts(waitingId).filter(({ state }) => state === 'not_accepted').length
  await vi.waitUntil(() => countRefused() === 2, { timeout: 10_000 })
  expect(a.submits).toHaveLength(2)
  await service.killAndRestart()
  a.refuse = () => undefined
  await service.until(waitingId, 'completed')
  expect([simulator.of('submit').length, a.submits.length]).toEqual([2, 3])

  await service.use({ upstreams, routes: routes.slice(0, 1) })
  simulator.next('submit', unknownParameter)
  const failedId = await service.submit({ model, prompt: 'a kite', seed: 9 })
  expect(await service.until(failedId, 'failed')).toMatchObject({ error_code: 'invalid_input' })
  await service.until(await service.submit({ model, prompt: 'a kite' }), 'completed')
  expect(simulator.of('submit')).toHaveLength(4)
  expect(service.rows(`select no from slot_pools where condition in ('unavailable', 'out_of_order')`)).toEqual([])
})

it('a task whose only upstream rejects the key waits, and the metrics, its attempt and the log show its age, the cause and the pause', async () => {
  await service.use({ upstreams: { a: a.definition() }, routes: [routeOf('a')] })
  const logBefore = service.server.log().length
  const countLogged = (line: string): number => service.server.log().slice(logBefore).split(line).length - 1
  a.refuse = () => refusedWith(401, 'invalid_api_key')
  const id = await service.submit({ model, prompt: 'a kite' })
  const listRefused = () => readAttempts(id).filter(({ state }) => state === 'not_accepted')
  await vi.waitUntil(() => listRefused().length === 2, { timeout: 10_000 })
  await vi.waitUntil(async () => (await readQueueAge(model)) >= 1, { timeout: 5_000, interval: 200 })
  expect(await service.task(id)).toMatchObject({ status: 'queued', error: null })
  for (const { detail } of listRefused()) expect(detail).toContain('HTTP 401')
  expect(countLogged('submits are accepted again')).toBe(0)
  a.refuse = () => undefined
  await service.until(id, 'completed')
  await service.until(await service.submit({ model, prompt: 'a kite' }), 'completed')
  expect([countLogged('submits are paused'), countLogged('submits are accepted again')]).toEqual([1, 1])
  await vi.waitUntil(async () => (await readQueueAge(model)) === 0, { timeout: 5_000, interval: 200 })
})

it('a changed cost of a route applies to later attempts, and not to one that is running', async () => {
  a.jobMs = Infinity
  const useCost = (perTask: number) =>
    service.use({ upstreams: { a: a.definition() }, routes: [routeOf('a', { cost: { per_task: perTask } })] })
  await useCost(0.5)
  const runningId = await service.submit({ model, prompt: 'a kite' })
  await vi.waitUntil(() => a.runningCount() === 1, { timeout: 10_000 })
  await useCost(2)
  const laterId = await service.submit({ model, prompt: 'a kite' })
  await vi.waitUntil(() => a.runningCount() === 2, { timeout: 10_000 })
  a.finishAll()
  for (const [id, paid] of [
    [runningId, 500_000],
    [laterId, 2_000_000],
  ] as const) {
    await service.until(id, 'completed')
    expect(readAttempts(id)).toMatchObject([{ state: 'succeeded', paid }])
  }
})

it('256 unanswered submits with one key do not delay submits with another key of the same provider', async () => {
  await using simulator = await Simulator.open({
    ...openaiProtocol,
    respond: (request, stage, openedSimulator) =>
      request.headers['authorization'] === 'Bearer slow'
        ? new Promise(() => {})
        : openaiProtocol.respond(request, stage, openedSimulator),
  })
  simulator.media = media
  const upstream = { driver: 'openai', base_url: `${simulator.origin}/v1`, in_flight_max: 1000 }
  const upstreams = { slow: { ...upstream, api_key: 'slow' }, quick: { ...upstream, api_key: openaiKey } }
  await service.use({ upstreams, routes: [routeOf('slow'), routeOf('quick', { model: otherModel })] })
  for (let sentCount = 0; sentCount < 260; sentCount += 52) {
    await Promise.all(Array.from({ length: 52 }, (_, kite) => service.submit({ model, prompt: `kite ${sentCount + kite}` })))
  }
  await vi.waitUntil(() => simulator.of('submit').length === 256, { timeout: 30_000 })
  const quickId = await service.submit({ model: otherModel, prompt: 'a kite' })
  await vi.waitUntil(async () => (await service.task(quickId)).status === 'completed', { timeout: 10_000, interval: 100 })
  expect(simulator.of('submit')).toHaveLength(257)
})

it('a task that waits because 256 submits are unanswered is submitted right after the next response', async () => {
  const unanswered: (() => void)[] = []
  await using simulator = await Simulator.open({
    ...openaiProtocol,
    async respond(request, stage, openedSimulator) {
      if (stage === 'submit') await new Promise<void>((resolve) => unanswered.push(resolve))
      // Jobs never end, because an ended task would also free a slot.
      if (stage === 'poll') return { status: 200, json: { id: request.url.pathname.split('/')[3], status: 'in_progress' } }
      return openaiProtocol.respond(request, stage, openedSimulator)
    },
  })
  const upstream = { driver: 'openai', base_url: `${simulator.origin}/v1`, api_key: openaiKey, in_flight_max: 1000 }
  await service.use({ upstreams: { many: upstream }, routes: [routeOf('many')] })
  const waitingCount = 12
  await Promise.all(Array.from({ length: 256 + waitingCount }, (_, kite) => service.submit({ model, prompt: `kite ${kite}` })))
  await vi.waitUntil(() => unanswered.length === 256, { timeout: 30_000 })
  const startedAtMs = performance.now()
  for (let count = 1; count <= waitingCount; count++) {
    unanswered.shift()?.()
    await vi.waitUntil(() => simulator.of('submit').length === 256 + count, { timeout: 10_000, interval: 5 })
  }
  // Without a notification, each task would wait for the next claim, up to half a second.
  expect(performance.now() - startedAtMs).toBeLessThan(waitingCount * 250)
  for (const respond of unanswered) respond()
})

it('Retry-After in a poll response delays all polls of the upstream, and in a submit response the next submit', async () => {
  await using xai = await Simulator.open(xaiProtocol)
  xai.moves = ['succeeded']
  xai.media = media
  const upstreams = {
    a: a.definition(),
    xai: { driver: 'xai', base_url: `${xai.origin}/v1`, api_key: xaiKey },
  }
  await service.use({
    upstreams,
    routes: [routeOf('a'), { model: otherModel, upstream: 'xai', upstream_model: 'grok-imagine-video' }],
  })
  const laterReply = { status: 503, headers: { 'retry-after': '5' }, json: {} }

  const polled: number[] = []
  a.simulator.next('poll', laterReply)
  a.simulator.meanwhile('poll', async () => void polled.push(a.simulator.of('poll').length, Date.now()))
  const ids = await Promise.all([1, 2, 3].map((kite) => service.submit({ model, prompt: `kite ${kite}` })))
  await vi.waitUntil(() => polled.length > 0, { timeout: 10_000, interval: 5 })
  const [, refusedAtMs = 0] = polled
  // Polls that were in flight at the time of the first poll arrive during this wait.
  await sleep(500)
  const pollsBefore = a.simulator.of('poll').length

  xai.next('submit', laterReply)
  const lostId = await service.submit({ model: otherModel, prompt: 'a kite' })
  expect(await service.until(lostId, 'failed')).toMatchObject({ error_code: 'lost_upstream' })
  const lostAtMs = Date.now()
  const nextId = await service.submit({ model: otherModel, prompt: 'a kite' })

  await vi.waitUntil(() => a.simulator.of('poll').length > pollsBefore, { timeout: 10_000, interval: 5 })
  expect(Date.now() - refusedAtMs).toBeGreaterThanOrEqual(4_950)
  await vi.waitUntil(() => xai.of('submit').length === 2, { timeout: 10_000, interval: 5 })
  expect(Date.now() - lostAtMs).toBeGreaterThanOrEqual(4_500)
  for (const id of [...ids, nextId]) await service.until(id, 'completed')

  a.refuse = () => ({ ...refusedWith(403, 'no_access'), headers: { 'retry-after': '4' } })
  a.submits.length = 0
  const refusedId = await service.submit({ model, prompt: 'a kite' })
  await vi.waitUntil(() => a.submits.length === 1, { timeout: 10_000, interval: 5 })
  a.refuse = () => undefined
  await service.until(refusedId, 'completed')
  const [firstSubmit, secondSubmit] = a.submits
  expect((secondSubmit?.atMs ?? 0) - (firstSubmit?.atMs ?? 0)).toBeGreaterThanOrEqual(4_000)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { packetVideo } from '../packet-video.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const body = { model, prompt: 'a kite over dunes', seconds: 5 }

/** Option of tests that share a service, in a file whose other tests run at the same time. */
const inTurn = { concurrent: false }

/** One service for all tests. Each test has its own upstream and sets the routes to it. */
describe('tasks on routes to upstreams', { concurrent: true }, () => {
  let service: ServiceWithUpstreams
  let upstream: Simulator
  let video: Buffer

  beforeAll(async () => {
    video = await packetVideo()
    service = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    upstream = await openUpstream(video)
  })
  afterEach(async () => {
    await upstream[Symbol.asyncDispose]()
  })

  async function useOneRoute(overrides = {}): Promise<void> {
    await service.use({ upstreams: { main: upstreamAt(upstream, overrides) }, routes: [routeOf('main')] })
  }

  function countJobs(): number {
    return upstream.jobs.length
  }

  it('tasks start one upstream job each, and their results are downloaded, probed and charged', inTurn, async () => {
    await useOneRoute()
    upstream.moves = ['queued', 'running', 'succeeded']
    const id = await service.submit(body)
    const task = await service.until(id, 'completed')
    expect(task).toMatchObject({ actualDuration: 5, amount: 0.6, error: null })
    const media = await fetch(task.result_url ?? '')
    expect(Buffer.from(await media.arrayBuffer())).toEqual(video)
    expect(countJobs()).toBe(1)
    expect(await service.timeline(id)).toMatchObject([
      { event: 'accepted' },
      { event: 'held' },
      { event: 'attempt_started', route: 'main' },
      { event: 'attempt_ended', outcome: 'succeeded' },
      { event: 'completed' },
      { event: 'charged' },
    ])
  })

  it('tasks with a parameter that no route can serve are rejected at submit', inTurn, async () => {
    await useOneRoute()
    const response = await service.server.request('POST', '/v2/model-center/tasks', { ...body, seed: 7 })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'unknown_parameter', param: 'seed' } })
    const quote = await service.server.request('POST', '/v2/model-center/tasks/quote', { ...body, seed: 7 })
    expect(quote.status).toBe(400)
  })

  it('tasks whose content is refused fail with the message of the service and are not charged', inTurn, async () => {
    await useOneRoute()
    upstream.next('submit', { status: 400, json: { error: { code: 'moderation_blocked', message: 'Sora says no' } } })
    const task = await service.until(await service.submit(body), 'failed')
    expect(task).toMatchObject({ error_code: 'content_policy', amount: 0 })
    expect(JSON.stringify(task)).not.toContain('Sora')
    expect(readLastAttempt(service, task.id)).toMatchObject({
      unresolved: null,
      detail: 'HTTP 400, moderation_blocked: Sora says no',
    })
  })

  it('tasks that an upstream throttles are submitted again and complete', inTurn, async () => {
    await useOneRoute()
    upstream.next('submit', { status: 429, headers: { 'retry-after': '2' }, json: { error: { code: 'rate_limit_exceeded' } } })
    const id = await service.submit(body)
    await service.until(id, 'completed')
    const [first, second] = upstream.of('submit')
    expect([countJobs(), first !== undefined, second !== undefined]).toEqual([1, true, true])
    expect(await service.timeline(id)).toMatchObject([
      { event: 'accepted' },
      { event: 'held' },
      { event: 'attempt_started' },
      { event: 'attempt_ended', outcome: 'not_accepted' },
      { event: 'attempt_started' },
      { event: 'attempt_ended', outcome: 'succeeded' },
      { event: 'completed' },
      { event: 'charged' },
    ])
  })

  it('tasks go to the next route when a route throttles them beyond its defer_max', inTurn, async () => {
    await using secondUpstream = await openUpstream(video)
    await service.use({
      upstreams: { first: upstreamAt(upstream), second: upstreamAt(secondUpstream) },
      routes: [routeOf('first', { defer_max: 1 }), routeOf('second', { priority: 5 })],
    })
    for (let refusals = 0; refusals < 3; refusals++) {
      upstream.next('submit', { status: 429, headers: { 'retry-after': '60' }, json: { error: { code: 'rate_limit_exceeded' } } })
    }
    await service.until(await service.submit(body), 'completed')
    expect([countJobs(), secondUpstream.jobs.length]).toEqual([0, 1])
  })

  it('tasks go to the next route immediately when a route did not accept them', inTurn, async () => {
    await service.use({
      upstreams: {
        dead: { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'k' },
        keyless: upstreamAt(upstream, { api_key: 'wrong' }),
        main: upstreamAt(upstream),
      },
      routes: [routeOf('dead'), routeOf('keyless', { priority: 1 }), routeOf('main', { priority: 2 })],
    })
    const id = await service.submit(body)
    await service.until(id, 'completed')
    expect(countJobs()).toBe(1)
    expect(
      (await service.timeline(id)).flatMap(({ route: name, outcome }) => (outcome === undefined ? [] : [`${name} ${outcome}`])),
    ).toEqual(['dead not_accepted', 'keyless not_accepted', 'main succeeded'])
    const refused = await service.server.request('GET', `/admin/v1/attempts/${id}_1`)
    expect(await refused.json()).toMatchObject({ status: 'not_accepted', error: 'The upstream could not be used.', reason: null })
  })

  it('tasks whose submit has an unknown outcome fail and are never submitted to another route', inTurn, async () => {
    await using secondUpstream = await openUpstream(video)
    await service.use({
      upstreams: { first: upstreamAt(upstream), second: upstreamAt(secondUpstream) },
      routes: [routeOf('first'), routeOf('second', { priority: 5 })],
    })
    upstream.next('submit', 'reset_after')
    const task = await service.until(await service.submit(body), 'failed')
    expect(task).toMatchObject({ error_code: 'lost_upstream', amount: 0 })
    expect([countJobs(), secondUpstream.of('submit').length]).toEqual([1, 0])
    expect(readLastAttempt(service, task.id)).toMatchObject({ unresolved: 'lost_reply', closed_at: null })

    const attempts = '/admin/v1/attempts'
    const listed = await service.server.request('GET', `${attempts}?unresolved=true&task=${task.id}`)
    expect(await listed.json()).toMatchObject({ items: [{ id: `${task.id}_1`, route: 'first', reason: 'lost_reply', model }] })
    await service.server.request('POST', `${attempts}/${task.id}_1/resolve`, { resolution: 'not_charged_upstream' })
    expect(readLastAttempt(service, task.id)).toMatchObject({ closing: 'not_charged_upstream', closed_at: expect.any(Number) })
  })

  it('tasks with an unusable result fail without a second job, and their attempt stays unresolved', inTurn, async () => {
    await useOneRoute()
    upstream.media = Buffer.from('<html>out of order</html>')
    const task = await service.until(await service.submit(body), 'failed')
    expect(task).toMatchObject({ error_code: 'upstream_failed', amount: 0 })
    expect([countJobs(), upstream.of('result').length]).toEqual([1, 3])
    expect(readLastAttempt(service, task.id)).toMatchObject({ unresolved: 'unusable_result', closed_at: null })
  })

  it('tasks whose completed job has no result fail, and their attempt stays unresolved with its cost', inTurn, async () => {
    await using queue = await Simulator.open(falProtocol)
    const route = { model, upstream: 'queue', upstream_model: 'fal-ai/kling-video/o3/standard/text-to-video' }
    await service.use({
      upstreams: { queue: { driver: 'fal', base_url: queue.origin, api_key: falKey } },
      routes: [{ ...route, cost: { per_task: 2 } }],
    })
    queue.next('poll', { status: 200, json: { status: 'COMPLETED' } })
    queue.next('poll', { status: 200, json: { model_mesh: { url: `${queue.origin}/files/a.glb` } } })
    const task = await service.until(await service.submit(body), 'failed')
    expect(task).toMatchObject({ error_code: 'upstream_failed', amount: 0 })
    expect(readLastAttempt(service, task.id)).toMatchObject({
      unresolved: 'unusable_result',
      closed_at: null,
      detail: 'the result has no file',
      paid: 2_000_000,
    })
  })

  it('tasks complete although two downloads fail and a third gets the status 503', inTurn, async () => {
    await useOneRoute()
    upstream.next('result', 'truncated')
    upstream.next('result', { status: 403 })
    upstream.next('result', { status: 503 })
    await service.until(await service.submit(body), 'completed')
    expect([countJobs(), upstream.of('result').length]).toEqual([1, 4])
  })

  it('tasks continue on their route after its removal from the routing file and a kill -9', inTurn, async () => {
    await useOneRoute()
    upstream.moves = ['running']
    const id = await service.submit(body)
    await vi.waitUntil(() => upstream.of('poll').length > 0, { timeout: 20_000 })
    await service.use({ upstreams: {}, routes: [] })
    await service.killAndRestart()
    const pollsBefore = upstream.of('poll').length
    await vi.waitUntil(() => upstream.of('poll').length > pollsBefore, { timeout: 20_000 })
    for (const job of upstream.jobs) job.moves = ['succeeded']
    await service.until(id, 'completed')
    expect(countJobs()).toBe(1)
  })

  it('tasks in flight never exceed in_flight_max of the upstream, and none is rejected', inTurn, async () => {
    await useOneRoute({ in_flight_max: 2 })
    upstream.moves = ['running', 'succeeded']
    const ids = await Promise.all(Array.from({ length: 6 }, () => service.submit(body)))
    let maximum = 0
    for (const id of ids) {
      while ((await service.task(id)).status !== 'completed') {
        maximum = Math.max(maximum, upstream.jobs.filter(({ state }) => state !== 'succeeded').length)
        await sleep(50)
      }
    }
    expect([countJobs(), maximum]).toEqual([6, 2])
  })

  it(
    'tasks are rejected while the only route of the model is unavailable, and accepted after the key of its upstream is corrected',
    inTurn,
    async () => {
      await useOneRoute({ api_key: 'wrong' })
      const id = await service.submit(body)
      await vi.waitUntil(async () => (await service.server.request('POST', '/v2/model-center/tasks', body)).status === 503, {
        timeout: 20_000,
        interval: 200,
      })
      const refused = await service.server.request('POST', '/v2/model-center/tasks', body)
      // The remaining time of the pause, which is at most five minutes and a fifth.
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(360)
      expect(await refused.json()).toMatchObject({ error: { code: 'no_route' } })
      const quote = await service.server.request('POST', '/v2/model-center/tasks/quote', body)
      expect(await quote.json()).toMatchObject({ available: false, reason: 'no_route' })
      await useOneRoute()
      await service.until(await service.submit(body), 'completed')
      await service.until(id, 'completed')
    },
  )

  it('tasks use the previous routes if the changed routing file is invalid', inTurn, async () => {
    await useOneRoute()
    service.configure({ upstreams: { main: { driver: 'opnai' } }, routes: [routeOf('main')] })
    await vi.waitUntil(() => service.server.log().includes('the previous upstreams, routes and models stay in use'), {
      timeout: 20_000,
    })
    await service.until(await service.submit(body), 'completed')
    expect(countJobs()).toBe(1)
  })
})

describe.concurrent('tasks on services of their own', () => {
  it.each(['submit', 'poll', 'result'] as const)(
    'a task is submitted once, although the service is killed during its %s',
    async (stage) => {
      await using upstream = await openUpstream(await packetVideo())
      await using service = await startOn(upstream)
      upstream.next(stage, 'silence_before')
      const id = await service.submit(body)
      await vi.waitUntil(() => upstream.of(stage).length === 1, { timeout: 30_000 })
      await service.killAndRestart()
      // Upstreams of this kind cannot tell whether a submit without a response was accepted.
      const task = await service.until(id, stage === 'submit' ? 'failed' : 'completed')
      if (stage === 'submit') expect(task.error_code).toBe('lost_upstream')
      expect(upstream.of('submit')).toHaveLength(1)
    },
  )

  it('the attempt of a cancelled task that completes upstream is marked as late', async () => {
    await using upstream = await openUpstream(await packetVideo())
    await using service = await startOn(upstream)
    upstream.moves = ['running']
    const id = await service.submit(body)
    await vi.waitUntil(() => upstream.of('poll').length > 0, { timeout: 20_000 })
    await service.server.request('POST', `/v2/model-center/tasks/${id}/cancel`)
    expect(await service.task(id)).toMatchObject({ status: 'failed', error_code: 'cancelled', amount: 0 })
    for (const job of upstream.jobs) job.moves = ['succeeded']
    await vi.waitUntil(() => readLastAttempt(service, id)?.['unresolved'] === 'late', { timeout: 40_000, interval: 200 })
    expect(upstream.jobs.length).toBe(1)
  })

  it("tasks are accepted again after an operator's successful test of an unavailable route", async () => {
    const keyRefused = { status: 401, json: { error: { code: 'invalid_api_key' } } }
    let isKeyValid = false
    await using upstream = await openUpstream(await packetVideo(), {
      ...openaiProtocol,
      respond: (...args) => (isKeyValid ? openaiProtocol.respond(...args) : keyRefused),
    })
    await using service = await startOn(upstream)
    const ids = await Promise.all(Array.from({ length: 5 }, () => service.submit(body)))
    const listRoutes = async () =>
      ((await (await service.server.request('GET', '/admin/v1/routes')).json()) as { items: { circuit: string }[] }).items
    await vi.waitUntil(async () => (await listRoutes())[0]?.circuit === 'open', { timeout: 20_000, interval: 50 })

    const failed = await service.server.request('POST', '/admin/v1/routes/test', { model })
    expect(await failed.json()).toMatchObject({ failed: 1, results: [{ outcome: 'failed' }] })
    expect((await listRoutes())[0]).toMatchObject({ circuit: 'open' })
    isKeyValid = true
    // A refusal of a submit that is still in flight would pause the route again after the test.
    const openAttempts = "select 1 from task_attempts where state in ('assigned', 'starting', 'started')"
    await vi.waitUntil(() => service.rows(openAttempts).length === 0, { timeout: 20_000, interval: 50 })
    const testResult = await service.server.request('POST', '/admin/v1/routes/test', { model })
    expect(await testResult.json()).toMatchObject({ failed: 0, results: [{ outcome: 'ok' }] })
    expect((await listRoutes())[0]).toMatchObject({ circuit: 'closed', tried_again_at: null })
    expect((await service.server.request('POST', '/v2/model-center/tasks', body)).status).toBe(202)
    for (const id of ids) await service.until(id, 'completed')
  })
})

/**
 * Opens an upstream whose jobs have succeeded at the first poll. Each further poll would take
 * seconds.
 */
async function openUpstream(video: Buffer, protocol = openaiProtocol): Promise<Simulator> {
  const upstream = await Simulator.open(protocol)
  upstream.media = video
  upstream.moves = ['succeeded']
  return upstream
}

/** Starts a service whose only route leads to this upstream. */
async function startOn(upstream: Simulator): Promise<ServiceWithUpstreams> {
  return startServiceWithUpstreams({ upstreams: { main: upstreamAt(upstream) }, routes: [routeOf('main')] })
}

function readLastAttempt(service: ServiceWithUpstreams, id: string): Record<string, unknown> | undefined {
  return service.rows(
    `select state, route, unresolved, closed_at, closing, detail, cost, paid from task_attempts where task_no = ${taskNoOf(id)} order by number desc`,
  )[0]
}

function upstreamAt(simulator: Simulator, overrides = {}): Record<string, unknown> {
  return { driver: 'openai', base_url: `${simulator.origin}/v1`, api_key: openaiKey, ...overrides }
}

function routeOf(name: string, overrides = {}): Record<string, unknown> {
  return { model, upstream: name, upstream_model: 'sora-2', ...overrides }
}

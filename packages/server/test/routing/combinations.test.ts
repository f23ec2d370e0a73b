import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { packetVideo } from '../packet-video.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import { startServiceWithUpstreams, type Routing, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { openLimitedUpstream, refusedWith, tooManyRequests, type LimitedUpstream } from './limited-upstream.ts'

const models = ['vidK O3 Video Generation', 'vidB_1_5_pro_720p', 'vidM-H3-768p', 'vidDq3-turbo'] as const
const [firstModel, secondModel] = models

/** The two upstreams of one test, and a function that starts its service. */
interface TestSetup {
  a: LimitedUpstream
  b: LimitedUpstream
  start: (routing: Routing) => Promise<ServiceWithUpstreams>
}

/**
 * Runs a test with two upstreams and a service. The tests mostly wait, so most of them run
 * concurrently.
 */
function withUpstreams<Rest extends unknown[]>(
  run: (setup: TestSetup, ...rest: Rest) => Promise<void>,
): (...rest: Rest) => Promise<void> {
  return async (...rest) => {
    const media = await packetVideo()
    await using a = await openLimitedUpstream(media)
    await using b = await openLimitedUpstream(media)
    let service: ServiceWithUpstreams | undefined
    try {
      const start = async (routing: Routing): Promise<ServiceWithUpstreams> =>
        (service = await startServiceWithUpstreams(routing, { LOG_LEVEL: 'info' }))
      await run({ a, b, start }, ...rest)
    } finally {
      for (const upstream of [a, b]) {
        upstream.refuse = () => undefined
        upstream.finishAll()
      }
      await service?.[Symbol.asyncDispose]()
    }
  }
}

function routeOf(model: string, upstream: string, overrides = {}): Record<string, unknown> {
  return { model, upstream, upstream_model: 'sora-2', ...overrides }
}

function submitMany(service: ServiceWithUpstreams, model: string, count: number, overrides = {}): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => service.submit({ model, prompt: `kite ${index}`, ...overrides })),
  )
}

function promptOf({ parameters }: Record<string, unknown>): string {
  return (JSON.parse(String(parameters)) as { prompt: string }).prompt
}

async function untilAllCompleted(service: ServiceWithUpstreams, ids: readonly string[]): Promise<void> {
  for (const id of ids) await service.until(id, 'completed')
}

it.concurrent(
  'the first submits to an upstream include each of its four models, with in_flight_max 1 and 40',
  { timeout: 180_000 },
  withUpstreams(async ({ a, start }) => {
    const routingOf = (max: number): Routing => ({
      upstreams: { a: a.definition({ in_flight_max: max }) },
      routes: models.map((model) => routeOf(model, 'a', { upstream_model: model })),
    })
    const service = await start(routingOf(1))
    for (const [max, tasks] of [[1, 3], ...(isLongRun ? [[3, 3]] : []), [40, 12]] as [number, number][]) {
      a.submits.length = 0
      a.jobMs = Infinity
      if (max > 1) await service.use(routingOf(max))
      const ids = (await Promise.all(models.map((model) => submitMany(service, model, tasks)))).flat()
      await vi.waitUntil(() => a.runningCount() === max, { timeout: 20_000 })
      a.jobMs = 1_000
      await untilAllCompleted(service, ids)
      expect(a.inFlightMaximum()).toBe(max)
      const earlyModels = a.submits.slice(0, Math.max(8, max)).map(({ model }) => model)
      for (const model of models) expect(earlyModels.filter((served) => served === model).length).toBeGreaterThanOrEqual(1)
    }
  }),
)

it.concurrent(
  'two models with the same upstream, upstream_model and route name have limits of their own',
  withUpstreams(async ({ a, start }) => {
    a.jobMs = Infinity
    const limit = { in_flight_max: 2 }
    const service = await start({
      upstreams: { a: a.definition() },
      routes: [routeOf(firstModel, 'a', limit), routeOf(secondModel, 'a', limit)],
    })
    const ids = (
      await Promise.all([firstModel, secondModel].map((model) => submitMany(service, model, 20, { prompt: model })))
    ).flat()
    await vi.waitUntil(() => a.runningCount() >= 4, { timeout: 20_000 })
    await sleep(1_500)
    for (const model of [firstModel, secondModel]) expect(a.submits.filter(({ prompt }) => prompt === model)).toHaveLength(2)
    a.finishAll()
    await untilAllCompleted(service, ids)
  }),
)

it.concurrent(
  'two models with the same upstreams, upstream_model and route names keep their priorities, and a Retry-After of 30 s stops further submits',
  withUpstreams(async ({ a, b, start }) => {
    a.jobMs = b.jobMs = 0
    const service = await start({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [
        routeOf(firstModel, 'a'),
        routeOf(firstModel, 'b', { priority: 1 }),
        routeOf(secondModel, 'a', { priority: 1 }),
        routeOf(secondModel, 'b'),
      ],
    })
    await untilAllCompleted(
      service,
      (await Promise.all([firstModel, secondModel].map((model) => submitMany(service, model, 5, { prompt: model })))).flat(),
    )
    expect(a.submits.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 5 }, () => firstModel))
    expect(b.submits.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 5 }, () => secondModel))

    a.refuse = () => tooManyRequests('30')
    await submitMany(service, firstModel, 1)
    await vi.waitUntil(() => a.submits.length > 5, { timeout: 20_000 })
    await sleep(3_000)
    expect([a.submits.length, b.submits.length]).toEqual([6, 5])
  }),
)

it.concurrent(
  'tasks wait for the only route that can serve a parameter while the route is full, or paused by a 429 or a 404',
  { timeout: 180_000 },
  withUpstreams(async ({ a, b, start }) => {
    const service = await start({
      upstreams: { a: a.definition(), b: b.definition({ in_flight_max: 1 }) },
      routes: [routeOf(firstModel, 'a'), routeOf(firstModel, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    for (const refusal of [undefined, tooManyRequests('2'), refusedWith(404, 'not_found')]) {
      b.submits.length = 0
      b.refuse = () => (b.submits.length === 1 ? refusal : undefined)
      await untilAllCompleted(service, await submitMany(service, firstModel, 3, { seed: 7 }))
      expect([a.submits.length, b.inFlightMaximum()]).toEqual([0, 1])
    }
  }),
)

it.concurrent(
  'tasks wait for the only route that can serve a parameter while its upstream refuses connections',
  withUpstreams(async ({ a, b, start }) => {
    const service = await start({
      upstreams: { a: a.definition(), b: { ...b.definition(), base_url: 'http://127.0.0.1:9/v1' } },
      routes: [routeOf(firstModel, 'a'), routeOf(firstModel, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    const [id = ''] = await submitMany(service, firstModel, 1, { seed: 7 })
    await sleep(2_000)
    expect(await service.task(id)).toMatchObject({ status: 'queued', error: null })
    await service.use({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [routeOf(firstModel, 'a'), routeOf(firstModel, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    await service.until(id, 'completed')
    expect(a.submits).toEqual([])
  }),
)

it.concurrent.each(['0', ...(isLongRun ? ['Thu, 01 Jan 2015 00:00:00 GMT'] : [])])(
  'a provider that sends Retry-After: %s gets at most one submit per second, and fewer over time',
  withUpstreams(async ({ a, start }, retryAfter) => {
    a.refuse = () => tooManyRequests(retryAfter)
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    const [id = ''] = await submitMany(service, firstModel, 1)
    await sleep(8_000)
    expect(a.submits.length).toBeGreaterThanOrEqual(3)
    expect(a.submits.length).toBeLessThanOrEqual(6)
    for (const [index, { atMs }] of a.submits.slice(1).entries()) {
      expect(atMs - (a.submits[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000)
    }
    a.refuse = () => undefined
    await service.until(id, 'completed')
  }),
)

it.concurrent(
  'a single submit is sent first after each pause',
  withUpstreams(async ({ a, start }) => {
    let isBusy = true
    a.refuse = () => (isBusy ? tooManyRequests('1') : undefined)
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    const ids = await submitMany(service, firstModel, 40)
    // The pause takes at least a second, so the burst is over half a second after its last submit.
    await vi.waitUntil(() => Date.now() - (a.submits.at(-1)?.atMs ?? Infinity) > 500, { timeout: 20_000 })
    const firstBurst = a.submits.length
    expect(firstBurst).toBeLessThanOrEqual(40)
    await sleep(5_000)
    expect(a.submits.length - firstBurst).toBeLessThanOrEqual(5)
    isBusy = false
    await untilAllCompleted(service, ids)
  }),
)

it.concurrent(
  'Retry-After applies even if another submit on the route succeeds',
  withUpstreams(async ({ a, start }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let refusedAtMs = 0
    a.refuse = async ({ prompt }) => {
      if (prompt === 'slow') await released
      if (prompt !== 'refused' || refusedAtMs > 0) return undefined
      refusedAtMs = Date.now()
      setTimeout(release, 200)
      return tooManyRequests('3')
    }
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    const slowId = await service.submit({ model: firstModel, prompt: 'slow' })
    await vi.waitUntil(() => a.submits.length === 1, { timeout: 20_000 })
    const refusedId = await service.submit({ model: firstModel, prompt: 'refused' })
    await vi.waitUntil(() => refusedAtMs > 0, { timeout: 20_000 })
    const laterId = await service.submit({ model: firstModel, prompt: 'later' })
    await untilAllCompleted(service, [slowId, refusedId, laterId])
    for (const { atMs } of a.submits.slice(2)) expect(atMs - refusedAtMs).toBeGreaterThanOrEqual(3_000)
  }),
)

it.concurrent(
  'tasks wait for a healthy route that is full while another route responds with 404',
  withUpstreams(async ({ a, b, start }) => {
    a.refuse = () => refusedWith(404, 'model_not_found')
    b.jobMs = 1_500
    const service = await start({
      upstreams: { a: a.definition(), b: b.definition({ in_flight_max: 1 }) },
      routes: [routeOf(firstModel, 'a'), routeOf(firstModel, 'b')],
    })
    await untilAllCompleted(service, await submitMany(service, firstModel, 5))
    expect(b.inFlightMaximum()).toBe(1)
  }),
)

it.concurrent.each([404, ...(isLongRun ? [403] : [])])(
  'a response with status %i for one model does not affect the other models of its upstream',
  withUpstreams(async ({ a, start }, status) => {
    a.refuse = ({ model }) => (model === 'bad' ? refusedWith(status, 'no_access') : undefined)
    const service = await start({
      upstreams: { a: a.definition() },
      routes: [routeOf(firstModel, 'a', { upstream_model: 'bad' }), routeOf(secondModel, 'a', { upstream_model: 'good' })],
    })
    for (let sentCount = 0; sentCount < 10; sentCount++) {
      await service.server.request('POST', '/v2/model-center/tasks', { model: firstModel, prompt: 'a kite' })
      await sleep(300)
    }
    await untilAllCompleted(service, await submitMany(service, secondModel, 20))
  }),
)

it.concurrent(
  'a task that is cancelled while it waits for a connection is never sent',
  withUpstreams(async ({ a, start }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    a.refuse = async () => {
      await released
      return undefined
    }
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    const ids = await Promise.all(
      Array.from({ length: 280 }, (_, n) => service.submit({ model: firstModel, prompt: `number ${n}.` })),
    )
    await vi.waitUntil(() => a.submits.length >= 256, { timeout: 30_000 })
    const sentPrompts = new Set(a.submits.map(({ prompt }) => prompt))
    const unsent = ids.filter((_, n) => !sentPrompts.has(`number ${n}.`))
    expect(unsent.length).toBeGreaterThan(0)
    for (const id of unsent)
      expect((await service.server.request('POST', `/v2/model-center/tasks/${id}/cancel`)).status).toBe(200)
    release()
    await sleep(2_000)
    expect(a.submits).toHaveLength(ids.length - unsent.length)
  }),
)

it.concurrent(
  'a limit applies across a rotated key and a renamed upstream',
  withUpstreams(async ({ a, start }) => {
    a.jobMs = Infinity
    a.keys.push('sk-rotated')
    const limit = { in_flight_max: 3 }
    const rotated = { ...limit, api_key: 'sk-rotated' }
    const service = await start({ upstreams: { a: a.definition(limit) }, routes: [routeOf(firstModel, 'a')] })
    const ids = await submitMany(service, firstModel, 9)
    await vi.waitUntil(() => a.runningCount() === 3, { timeout: 20_000 })
    await service.use({ upstreams: { a: a.definition(rotated) }, routes: [routeOf(firstModel, 'a')] })
    await sleep(1_000)
    await service.use({ upstreams: { renamed: a.definition(rotated) }, routes: [routeOf(firstModel, 'renamed')] })
    await sleep(1_000)
    expect([a.submits.length, a.runningCount()]).toEqual([3, 3])
    await service.use({
      upstreams: { renamed: a.definition({ ...rotated, in_flight_max: 4 }) },
      routes: [routeOf(firstModel, 'renamed')],
    })
    await vi.waitUntil(() => a.runningCount() === 4, { timeout: 20_000 })
    await sleep(1_500)
    expect(a.runningCount()).toBe(4)
    expect(a.simulator.of('submit').map(({ headers }) => headers['authorization'])).toEqual([
      ...Array.from({ length: 3 }, () => `Bearer ${openaiKey}`),
      'Bearer sk-rotated',
    ])
    a.finishAll()
    await untilAllCompleted(service, ids)
  }),
)

it.concurrent.each(['in bursts', ...(isLongRun ? ['one by one'] : [])])(
  'weights apply to tasks that arrive %s',
  withUpstreams(async ({ a, b, start }, way) => {
    a.jobMs = b.jobMs = 0
    const service = await start({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [routeOf(firstModel, 'a', { weight: 3 }), routeOf(firstModel, 'b')],
    })
    const size = way === 'in bursts' ? 20 : 1
    for (let sentCount = 0; sentCount < 40; sentCount += size) {
      await submitMany(service, firstModel, size)
      await vi.waitUntil(() => a.submits.length + b.submits.length === sentCount + size, { timeout: 20_000, interval: 5 })
    }
    expect([a.submits.length, b.submits.length]).toEqual([30, 10])
  }),
)

it.concurrent(
  'an attempt keeps the deadline of its route although the route is removed and the service restarted',
  withUpstreams(async ({ a, start }) => {
    a.jobMs = Infinity
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a', { deadline: 8 })] })
    const [id = ''] = await submitMany(service, firstModel, 1)
    // After the first poll, the operation of the task is stored. A kill before that would lose the
    // task.
    await vi.waitUntil(() => a.simulator.of('poll').length > 0, { timeout: 20_000 })
    service.configure({ upstreams: {}, routes: [] })
    await service.killAndRestart()
    expect(await service.until(id, 'failed')).toMatchObject({ error_code: 'upstream_timeout' })
    expect(Date.now() - (a.submits[0]?.atMs ?? 0)).toBeLessThan(20_000)
  }),
)

it.concurrent(
  'a changed polls_per_second applies immediately',
  withUpstreams(async ({ a, start }) => {
    a.jobMs = Infinity
    const slowly = { upstreams: { a: a.definition({ polls_per_second: 0.1 }) }, routes: [routeOf(firstModel, 'a')] }
    const service = await start(slowly)
    const ids = await submitMany(service, firstModel, 10)
    await vi.waitUntil(() => a.runningCount() === 10, { timeout: 20_000 })
    a.finishAll()
    await service.use({ upstreams: { a: a.definition({ polls_per_second: 50 }) }, routes: [routeOf(firstModel, 'a')] })
    await vi.waitUntil(
      async () => (await Promise.all(ids.map((id) => service.task(id)))).every(({ status }) => status === 'completed'),
      {
        timeout: 15_000,
        interval: 200,
      },
    )
  }),
)

it.concurrent(
  'a successful test of a route ends its pause',
  withUpstreams(async ({ a, start }) => {
    a.refuse = () => (a.submits.length === 1 ? tooManyRequests('500') : undefined)
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    const [id = ''] = await submitMany(service, firstModel, 1)
    await vi.waitUntil(() => a.submits.length === 1, { timeout: 20_000 })
    await sleep(500)
    const tested = await service.server.request('POST', '/admin/v1/routes/test', { model: firstModel })
    expect(await tested.json()).toMatchObject({ failed: 0 })
    await service.until(id, 'completed')
  }),
)

it(
  'tasks whose submit was never sent start again after kill -9, and only the others fail',
  withUpstreams(async ({ a, start }) => {
    a.jobMs = 0
    const { promise: killed, resolve } = Promise.withResolvers<void>()
    a.refuse = () => killed.then(() => refusedWith(500, 'never read'))
    const service = await start({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    await Promise.all(Array.from({ length: 320 }, (_, n) => service.submit({ model: firstModel, prompt: `number ${n}.` })))
    await vi.waitUntil(() => a.submits.length === 256, { timeout: 30_000 })
    await sleep(1_000)
    await service.server.kill()
    const sentPrompts = a.submits.map(({ prompt }) => prompt)
    a.refuse = () => undefined
    resolve()
    await service.killAndRestart()
    const countOpenTasks = () =>
      service.rows("select count(*) as open from tasks where status in ('queued', 'processing')")[0]?.['open']
    await vi.waitUntil(() => countOpenTasks() === 0, { timeout: 90_000, interval: 500 })
    const lostTasks = service.rows("select parameters from tasks where error_code = 'lost_upstream'")
    expect(lostTasks.map(promptOf).toSorted()).toEqual(sentPrompts.toSorted())
    expect(a.submits).toHaveLength(320)
  }),
)

const attemptCount = isLongRun ? 10_000 : 400

it(
  `SIGTERM with ${attemptCount} attempts in flight ends the service within 5 seconds`,
  { timeout: isLongRun ? 300_000 : 60_000 },
  withUpstreams(async ({ a, start }) => {
    a.jobMs = Infinity
    const service = await start({
      upstreams: { a: a.definition({ in_flight_max: attemptCount }) },
      routes: [routeOf(firstModel, 'a')],
    })
    for (let sentCount = 0; sentCount < attemptCount; sentCount += 100) await submitMany(service, firstModel, 100)
    await vi.waitUntil(() => a.runningCount() === attemptCount, { timeout: 200_000 })
    await sleep(2_500)
    const stopsAtMs = Date.now()
    service.server.process.kill('SIGTERM')
    await new Promise((resolve) => service.server.process.once('exit', resolve))
    const tookMs = Date.now() - stopsAtMs
    await service.killAndRestart()
    expect(tookMs).toBeLessThan(5_000)
  }),
)

it.concurrent(
  'a task whose only route is down is queued, and the log reports the beginning and the end of the pause once',
  withUpstreams(async ({ a, start }) => {
    const down = {
      upstreams: { a: { ...a.definition(), base_url: 'http://127.0.0.1:9/v1' } },
      routes: [routeOf(firstModel, 'a')],
    }
    const service = await start(down)
    const [id = ''] = await submitMany(service, firstModel, 1)
    await sleep(4_000)
    expect(await service.task(id)).toMatchObject({ status: 'queued', progress: 0, error: null })
    expect(service.server.log().split('submits are paused').length - 1).toBe(1)
    expect(service.server.log()).not.toContain('"stack"')
    const attempts = service.rows('select state, detail from task_attempts order by number')
    expect(attempts[0]).toMatchObject({ state: 'not_accepted', detail: expect.stringContaining('ECONNREFUSED') })
    await service.use({ upstreams: { a: a.definition() }, routes: [routeOf(firstModel, 'a')] })
    await untilAllCompleted(service, [id, ...(await submitMany(service, firstModel, 3))])
    expect(service.server.log().split('submits are paused').length - 1).toBe(1)
    expect(service.server.log().split('submits are accepted again').length - 1).toBe(1)
  }),
)

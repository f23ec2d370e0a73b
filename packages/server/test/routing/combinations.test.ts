import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { packetVideo } from '../packet-video.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import { startServiceWithUpstreams, type Routing, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { openLimitedUpstream, refusedWith, tooMany, type LimitedUpstream } from './limited-upstream.ts'

const models = ['vidK O3 Video Generation', 'vidB_1_5_pro_720p', 'vidM-H3-768p', 'vidDq3-turbo'] as const
const [first, second] = models

/** The two upstreams and the service of one test. */
interface Rig {
  a: LimitedUpstream
  b: LimitedUpstream
  start: (routing: Routing) => Promise<ServiceWithUpstreams>
}

/**
 * Runs a test with two upstreams and a service. The tests mostly wait, so several of them run at a
 * time.
 */
function withRig<Rest extends unknown[]>(run: (rig: Rig, ...rest: Rest) => Promise<void>): (...rest: Rest) => Promise<void> {
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

function route(model: string, upstream: string, more = {}): Record<string, unknown> {
  return { model, upstream, upstream_model: 'sora-2', ...more }
}

function submitMany(to: ServiceWithUpstreams, model: string, count: number, more = {}): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => to.submit({ model, prompt: `kite ${index}`, ...more })))
}

function promptOf({ parameters }: Record<string, unknown>): string {
  return (JSON.parse(String(parameters)) as { prompt: string }).prompt
}

async function allComplete(of: ServiceWithUpstreams, ids: readonly string[]): Promise<void> {
  for (const id of ids) await of.until(id, 'completed')
}

it.concurrent(
  'four models on one upstream are all served, in equal shares, with in_flight_max 1 and 40',
  { timeout: 180_000 },
  withRig(async ({ a, start }) => {
    const routingOf = (max: number): Routing => ({
      upstreams: { a: a.definition({ in_flight_max: max }) },
      routes: models.map((model) => route(model, 'a', { upstream_model: model })),
    })
    const to = await start(routingOf(1))
    for (const [max, tasks] of [[1, 3], ...(isLongRun ? [[3, 3]] : []), [40, 12]] as [number, number][]) {
      a.submits.length = 0
      a.jobMs = Infinity
      if (max > 1) await to.use(routingOf(max))
      const ids = (await Promise.all(models.map((model) => submitMany(to, model, tasks)))).flat()
      await vi.waitUntil(() => a.running() === max, { timeout: 20_000 })
      a.jobMs = 1_000
      await allComplete(to, ids)
      expect(a.inFlightMaximum()).toBe(max)
      const early = a.submits.slice(0, Math.max(8, max)).map(({ model }) => model)
      for (const model of models) expect(early.filter((served) => served === model).length).toBeGreaterThanOrEqual(1)
    }
  }),
)

it.concurrent(
  'two models with the same upstream, upstream_model and route name have limits of their own',
  withRig(async ({ a, start }) => {
    a.jobMs = Infinity
    const limit = { in_flight_max: 2 }
    const to = await start({
      upstreams: { a: a.definition() },
      routes: [route(first, 'a', limit), route(second, 'a', limit)],
    })
    const ids = (await Promise.all([first, second].map((model) => submitMany(to, model, 20, { prompt: model })))).flat()
    await vi.waitUntil(() => a.running() >= 4, { timeout: 20_000 })
    await sleep(1_500)
    for (const model of [first, second]) expect(a.submits.filter(({ prompt }) => prompt === model)).toHaveLength(2)
    a.finishAll()
    await allComplete(to, ids)
  }),
)

it.concurrent(
  'two models with the same upstreams, upstream_model and route names keep their priorities, and a Retry-After delays the next submit',
  withRig(async ({ a, b, start }) => {
    a.jobMs = b.jobMs = 0
    const to = await start({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [route(first, 'a'), route(first, 'b', { priority: 1 }), route(second, 'a', { priority: 1 }), route(second, 'b')],
    })
    await allComplete(to, (await Promise.all([first, second].map((model) => submitMany(to, model, 5, { prompt: model })))).flat())
    expect(a.submits.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 5 }, () => first))
    expect(b.submits.map(({ prompt }) => prompt)).toEqual(Array.from({ length: 5 }, () => second))

    a.refuse = () => tooMany('30')
    await submitMany(to, first, 1)
    await vi.waitUntil(() => a.submits.length > 5, { timeout: 20_000 })
    await sleep(3_000)
    expect([a.submits.length, b.submits.length]).toEqual([6, 5])
  }),
)

it.concurrent(
  'tasks wait for the only route that can serve a parameter while it is full, or paused by a 429 or a 404',
  { timeout: 180_000 },
  withRig(async ({ a, b, start }) => {
    const to = await start({
      upstreams: { a: a.definition(), b: b.definition({ in_flight_max: 1 }) },
      routes: [route(first, 'a'), route(first, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    for (const refusal of [undefined, tooMany('2'), refusedWith(404, 'not_found')]) {
      b.submits.length = 0
      b.refuse = () => (b.submits.length === 1 ? refusal : undefined)
      await allComplete(to, await submitMany(to, first, 3, { seed: 7 }))
      expect([a.submits.length, b.inFlightMaximum()]).toEqual([0, 1])
    }
  }),
)

it.concurrent(
  'tasks wait for the only route that can serve a parameter while it refuses connections',
  withRig(async ({ a, b, start }) => {
    const to = await start({
      upstreams: { a: a.definition(), b: { ...b.definition(), base_url: 'http://127.0.0.1:9/v1' } },
      routes: [route(first, 'a'), route(first, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    const [id = ''] = await submitMany(to, first, 1, { seed: 7 })
    await sleep(2_000)
    expect(await to.task(id)).toMatchObject({ status: 'queued', error: null })
    await to.use({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [route(first, 'a'), route(first, 'b', { priority: 1, parameters: { seed: 'seed' } })],
    })
    await to.until(id, 'completed')
    expect(a.submits).toEqual([])
  }),
)

it.concurrent.each(['0', ...(isLongRun ? ['Thu, 01 Jan 2015 00:00:00 GMT'] : [])])(
  'a provider that sends Retry-After: %s gets at most one submit per second, and fewer over time',
  withRig(async ({ a, start }, retryAfter) => {
    a.refuse = () => tooMany(retryAfter)
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    const [id = ''] = await submitMany(to, first, 1)
    await sleep(8_000)
    expect(a.submits.length).toBeGreaterThanOrEqual(3)
    expect(a.submits.length).toBeLessThanOrEqual(6)
    for (const [index, { atMs }] of a.submits.slice(1).entries()) {
      expect(atMs - (a.submits[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000)
    }
    a.refuse = () => undefined
    await to.until(id, 'completed')
  }),
)

it.concurrent(
  'after each pause a single submit is sent first',
  withRig(async ({ a, start }) => {
    let isBusy = true
    a.refuse = () => (isBusy ? tooMany('1') : undefined)
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    const ids = await submitMany(to, first, 40)
    await vi.waitUntil(() => a.submits.length > 0, { timeout: 20_000 })
    await sleep(500)
    const atOnce = a.submits.length
    expect(atOnce).toBeLessThanOrEqual(40)
    await sleep(5_000)
    expect(a.submits.length - atOnce).toBeLessThanOrEqual(5)
    isBusy = false
    await allComplete(to, ids)
  }),
)

it.concurrent(
  'Retry-After applies even if another submit on the route succeeds',
  withRig(async ({ a, start }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let refusedAtMs = 0
    a.refuse = async ({ prompt }) => {
      if (prompt === 'slow') await released
      if (prompt !== 'refused' || refusedAtMs > 0) return undefined
      refusedAtMs = Date.now()
      setTimeout(release, 200)
      return tooMany('3')
    }
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    const slow = await to.submit({ model: first, prompt: 'slow' })
    await vi.waitUntil(() => a.submits.length === 1, { timeout: 20_000 })
    const refused = await to.submit({ model: first, prompt: 'refused' })
    await vi.waitUntil(() => refusedAtMs > 0, { timeout: 20_000 })
    const later = await to.submit({ model: first, prompt: 'later' })
    await allComplete(to, [slow, refused, later])
    for (const { atMs } of a.submits.slice(2)) expect(atMs - refusedAtMs).toBeGreaterThanOrEqual(3_000)
  }),
)

it.concurrent(
  'tasks wait for a healthy route that is full while another one responds with 404',
  withRig(async ({ a, b, start }) => {
    a.refuse = () => refusedWith(404, 'model_not_found')
    b.jobMs = 1_500
    const to = await start({
      upstreams: { a: a.definition(), b: b.definition({ in_flight_max: 1 }) },
      routes: [route(first, 'a'), route(first, 'b')],
    })
    await allComplete(to, await submitMany(to, first, 5))
    expect(b.inFlightMaximum()).toBe(1)
  }),
)

it.concurrent.each([404, ...(isLongRun ? [403] : [])])(
  'a %i for one model does not affect the other models of its upstream',
  withRig(async ({ a, start }, status) => {
    a.refuse = ({ model }) => (model === 'bad' ? refusedWith(status, 'no_access') : undefined)
    const to = await start({
      upstreams: { a: a.definition() },
      routes: [route(first, 'a', { upstream_model: 'bad' }), route(second, 'a', { upstream_model: 'good' })],
    })
    for (let sent = 0; sent < 10; sent++) {
      await to.server.request('POST', '/v2/model-center/tasks', { model: first, prompt: 'a kite' })
      await sleep(300)
    }
    await allComplete(to, await submitMany(to, second, 20))
  }),
)

it.concurrent(
  'a task that is cancelled while it waits for a connection is never sent',
  withRig(async ({ a, start }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    a.refuse = async () => {
      await released
      return undefined
    }
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    const ids = await Promise.all(Array.from({ length: 280 }, (_, n) => to.submit({ model: first, prompt: `number ${n}.` })))
    await vi.waitUntil(() => a.submits.length >= 256, { timeout: 30_000 })
    const sent = new Set(a.submits.map(({ prompt }) => prompt))
    const unsent = ids.filter((_, n) => !sent.has(`number ${n}.`))
    expect(unsent.length).toBeGreaterThan(0)
    for (const id of unsent) expect((await to.server.request('POST', `/v2/model-center/tasks/${id}/cancel`)).status).toBe(200)
    release()
    await sleep(2_000)
    expect(a.submits).toHaveLength(ids.length - unsent.length)
  }),
)

it.concurrent(
  'a limit applies across a rotated key and a renamed upstream',
  withRig(async ({ a, start }) => {
    a.jobMs = Infinity
    a.keys.push('sk-rotated')
    const limit = { in_flight_max: 3 }
    const rotated = { ...limit, api_key: 'sk-rotated' }
    const to = await start({ upstreams: { a: a.definition(limit) }, routes: [route(first, 'a')] })
    const ids = await submitMany(to, first, 9)
    await vi.waitUntil(() => a.running() === 3, { timeout: 20_000 })
    await to.use({ upstreams: { a: a.definition(rotated) }, routes: [route(first, 'a')] })
    await sleep(1_000)
    await to.use({ upstreams: { renamed: a.definition(rotated) }, routes: [route(first, 'renamed')] })
    await sleep(1_000)
    expect([a.submits.length, a.running()]).toEqual([3, 3])
    await to.use({ upstreams: { renamed: a.definition({ ...rotated, in_flight_max: 4 }) }, routes: [route(first, 'renamed')] })
    await vi.waitUntil(() => a.running() === 4, { timeout: 20_000 })
    await sleep(1_500)
    expect(a.running()).toBe(4)
    expect(a.simulator.of('submit').map(({ headers }) => headers['authorization'])).toEqual([
      ...Array.from({ length: 3 }, () => `Bearer ${openaiKey}`),
      'Bearer sk-rotated',
    ])
    a.finishAll()
    await allComplete(to, ids)
  }),
)

it.concurrent.each(['in bursts', ...(isLongRun ? ['one by one'] : [])])(
  'weights apply to tasks that arrive %s',
  withRig(async ({ a, b, start }, how) => {
    a.jobMs = b.jobMs = 0
    const to = await start({
      upstreams: { a: a.definition(), b: b.definition() },
      routes: [route(first, 'a', { weight: 3 }), route(first, 'b')],
    })
    const size = how === 'in bursts' ? 20 : 1
    for (let sent = 0; sent < 40; sent += size) {
      await submitMany(to, first, size)
      await vi.waitUntil(() => a.submits.length + b.submits.length === sent + size, { timeout: 20_000, interval: 5 })
    }
    expect([a.submits.length, b.submits.length]).toEqual([30, 10])
  }),
)

it.concurrent(
  'an attempt keeps the deadline of its route although the route is removed and the service restarted',
  withRig(async ({ a, start }) => {
    a.jobMs = Infinity
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a', { deadline: 8 })] })
    const [id = ''] = await submitMany(to, first, 1)
    // After the first poll, the operation of the task is stored. A kill before that would lose the
    // task.
    await vi.waitUntil(() => a.simulator.of('poll').length > 0, { timeout: 20_000 })
    to.configure({ upstreams: {}, routes: [] })
    await to.killAndRestart()
    expect(await to.until(id, 'failed')).toMatchObject({ error_code: 'upstream_timeout' })
    expect(Date.now() - (a.submits[0]?.atMs ?? 0)).toBeLessThan(20_000)
  }),
)

it.concurrent(
  'a changed polls_per_second applies immediately',
  withRig(async ({ a, start }) => {
    a.jobMs = Infinity
    const slowly = { upstreams: { a: a.definition({ polls_per_second: 0.1 }) }, routes: [route(first, 'a')] }
    const to = await start(slowly)
    const ids = await submitMany(to, first, 10)
    await vi.waitUntil(() => a.running() === 10, { timeout: 20_000 })
    a.finishAll()
    await to.use({ upstreams: { a: a.definition({ polls_per_second: 50 }) }, routes: [route(first, 'a')] })
    await vi.waitUntil(
      async () => (await Promise.all(ids.map((id) => to.task(id)))).every(({ status }) => status === 'completed'),
      {
        timeout: 15_000,
        interval: 200,
      },
    )
  }),
)

it.concurrent(
  'a successful test of a route ends its pause',
  withRig(async ({ a, start }) => {
    a.refuse = () => (a.submits.length === 1 ? tooMany('500') : undefined)
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    const [id = ''] = await submitMany(to, first, 1)
    await vi.waitUntil(() => a.submits.length === 1, { timeout: 20_000 })
    await sleep(500)
    const tested = await to.server.request('POST', '/admin/v1/routes/test', { model: first })
    expect(await tested.json()).toMatchObject({ failed: 0 })
    await to.until(id, 'completed')
  }),
)

it(
  'after kill -9 tasks whose submit was never sent start again, and only the others fail',
  withRig(async ({ a, start }) => {
    a.jobMs = 0
    const { promise: killed, resolve } = Promise.withResolvers<void>()
    a.refuse = () => killed.then(() => refusedWith(500, 'never read'))
    const to = await start({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    await Promise.all(Array.from({ length: 320 }, (_, n) => to.submit({ model: first, prompt: `number ${n}.` })))
    await vi.waitUntil(() => a.submits.length === 256, { timeout: 30_000 })
    await sleep(1_000)
    await to.server.kill()
    const sent = a.submits.map(({ prompt }) => prompt)
    a.refuse = () => undefined
    resolve()
    await to.killAndRestart()
    const open = () => to.rows("select count(*) as open from tasks where status in ('queued', 'processing')")[0]?.['open']
    await vi.waitUntil(() => open() === 0, { timeout: 90_000, interval: 500 })
    const lost = to.rows("select parameters from tasks where error_code = 'lost_upstream'")
    expect(lost.map(promptOf).toSorted()).toEqual(sent.toSorted())
    expect(a.submits).toHaveLength(320)
  }),
)

const inFlight = isLongRun ? 10_000 : 400

it(
  `SIGTERM with ${inFlight} attempts in flight ends the service within 5 seconds`,
  { timeout: isLongRun ? 300_000 : 60_000 },
  withRig(async ({ a, start }) => {
    a.jobMs = Infinity
    const to = await start({ upstreams: { a: a.definition({ in_flight_max: inFlight }) }, routes: [route(first, 'a')] })
    for (let sent = 0; sent < inFlight; sent += 100) await submitMany(to, first, 100)
    await vi.waitUntil(() => a.running() === inFlight, { timeout: 200_000 })
    await sleep(2_500)
    const stopsAtMs = Date.now()
    to.server.process.kill('SIGTERM')
    await new Promise((resolve) => to.server.process.once('exit', resolve))
    const tookMs = Date.now() - stopsAtMs
    await to.killAndRestart()
    expect(tookMs).toBeLessThan(5_000)
  }),
)

it.concurrent(
  'a task whose only route is down is queued, and the log reports the beginning and the end of the pause once',
  withRig(async ({ a, start }) => {
    const down = { upstreams: { a: { ...a.definition(), base_url: 'http://127.0.0.1:9/v1' } }, routes: [route(first, 'a')] }
    const to = await start(down)
    const [id = ''] = await submitMany(to, first, 1)
    await sleep(4_000)
    expect(await to.task(id)).toMatchObject({ status: 'queued', progress: 0, error: null })
    expect(to.server.log().split('submits are paused').length - 1).toBe(1)
    expect(to.server.log()).not.toContain('"stack"')
    const attempts = to.rows('select state, detail from task_attempts order by number')
    expect(attempts[0]).toMatchObject({ state: 'not_accepted', detail: expect.stringContaining('ECONNREFUSED') })
    await to.use({ upstreams: { a: a.definition() }, routes: [route(first, 'a')] })
    await allComplete(to, [id, ...(await submitMany(to, first, 3))])
    expect(to.server.log().split('submits are paused').length - 1).toBe(1)
    expect(to.server.log().split('submits are accepted again').length - 1).toBe(1)
  }),
)

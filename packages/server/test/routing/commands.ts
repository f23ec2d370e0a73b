import fc from 'fast-check'
import { describeResponse } from './pause-model.ts'
import {
  abilities,
  healthyResponses,
  type Ability,
  type ScriptedResponse,
  type PollResponse,
  type ProbeResult,
  type ScriptedRoute,
  type ScriptedUpstream,
} from './scripted-upstream.ts'
import { nameOf } from './checks.ts'
import { accountCount, type Engine } from './engine.ts'
import type { World } from './world.ts'

/** A step of a test case. A failing case is printed with `toString`. */
export interface Command {
  run(world: World): Promise<void>
  toString(): string
}

const models = ['A', 'B', 'C', 'D']
const anyLimit = fc.integer({ min: 1, max: 5 })
const anyResponse: fc.Arbitrary<ScriptedResponse> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'ok' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('throttled' as const),
      retryAfterMs: fc.constantFrom(null, 0, -60_000, 1_000, 30_000, 1_200_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('error' as const), status: fc.constantFrom(401, 402, 403, 404) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lost' as const), isStarted: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'unreachable' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'unsuitable' } as const) },
)
const anyProbeResult: fc.Arbitrary<ProbeResult> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'works' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'fails' } as const) },
  { weight: 2, arbitrary: fc.constant({ kind: 'unsupported' } as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('throttled' as const), retryAfterMs: anyShortDelay() }) },
)
const anyPollResponse: fc.Arbitrary<PollResponse> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'ok' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('throttled' as const), retryAfterMs: anyShortDelay() }) },
)

/**
 * Generates a `Retry-After` in milliseconds, or null. Longer delays would exceed the duration of a
 * case.
 */
function anyShortDelay(): fc.Arbitrary<number | null> {
  return fc.constantFrom(null, 0, 1_000, 20_000)
}

/** Upstreams and routes as plain values, so that shrinking changes one value at a time. */
const anyUpstream = fc.record({
  inFlightMax: anyLimit,
  preparationMs: fc.constantFrom(0, 0, 200, 3_000),
  latencyMs: fc.constantFrom(0, 50, 800, 2_500),
  features: fc.record({ find: fc.boolean(), cancel: fc.boolean(), probe: fc.boolean() }),
})
const anyRoute = fc.record({
  upstream: fc.nat(5),
  abilities: fc.subarray([...abilities]),
  weight: fc.integer({ min: 1, max: 3 }),
  priority: fc.nat(2),
  inFlightMax: anyLimit,
  deferMaxMs: fc.constantFrom(0, 2_000, 10_000),
  deadlineMs: fc.constantFrom(null, null, 40_000),
})

export interface ScriptedConfiguration {
  upstreams: ScriptedUpstream[]
  routes: ScriptedRoute[]
}

export const anyConfiguration = fc
  .record({
    upstreams: fc.array(anyUpstream, { minLength: 1, maxLength: 6 }),
    models: fc.array(fc.array(anyRoute, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: models.length }),
  })
  .map((drawn) => ({
    /** Builds a new configuration for each run, because a case modifies its configuration. */
    build: (): ScriptedConfiguration => buildConfiguration(drawn),
    toString: () => describeConfiguration(buildConfiguration(drawn)),
  }))

type Drawn = {
  upstreams: (typeof anyUpstream extends fc.Arbitrary<infer Item> ? Item : never)[]
  models: (typeof anyRoute extends fc.Arbitrary<infer Item> ? Item : never)[][]
}

function buildConfiguration(drawn: Drawn): ScriptedConfiguration {
  const upstreams = drawn.upstreams.map((upstream, index): ScriptedUpstream => ({
    ...upstream,
    baseUrl: `https://u${index + 1}`,
    name: `u${index + 1}`,
    key: 'key-1',
    ...healthyResponses,
  }))
  const routes = drawn.models.flatMap((routesOfModel, modelIndex) =>
    routesOfModel.flatMap((route, index): ScriptedRoute[] => {
      const upstream = upstreams[route.upstream % upstreams.length]
      const model = models[modelIndex]
      if (upstream === undefined || model === undefined) return []
      const id = `${nameOf(upstream)}/${model}${index + 1}`
      return [{ ...route, id, model, upstream, response: { kind: 'ok' }, isConfigured: true }]
    }),
  )
  return { upstreams, routes }
}

function describeConfiguration({ upstreams, routes }: ScriptedConfiguration): string {
  const lines = [
    ...upstreams.map((upstream) => {
      const features = Object.entries(upstream.features).flatMap(([name, isSupported]) => (isSupported ? [name] : []))
      const { inFlightMax, preparationMs, latencyMs } = upstream
      return `upstream ${nameOf(upstream)}: at most ${inFlightMax}, prepares ${preparationMs} ms, responds in ${latencyMs} ms, ${features.join('+') || 'no features'}`
    }),
    ...routes.map(
      ({ id, weight, priority, inFlightMax, deferMaxMs, deadlineMs, abilities }) =>
        `route ${id}: at most ${inFlightMax}, weight ${weight}, priority ${priority}, defer_max ${deferMaxMs} ms, deadline ${deadlineMs ?? 'of the model'}, can ${abilities.join('+') || 'nothing special'}`,
    ),
  ]
  return `\n  ${lines.join('\n  ')}`
}

function commandOf<Drawn>(
  arbitrary: fc.Arbitrary<Drawn>,
  describeDrawn: (drawn: Drawn) => string,
  run: (world: World, drawn: Drawn) => Promise<void>,
): fc.Arbitrary<Command> {
  return arbitrary.map((drawn) => ({
    toString: () => `\n  ${describeDrawn(drawn)}`,
    async run(world) {
      world.checks.log(`-- ${describeDrawn(drawn)}`)
      await run(world, drawn)
    },
  }))
}

/**
 * Returns the element at `number` modulo the length of the list, which is only known when the case
 * runs.
 */
function pickItem<Item>(list: readonly Item[], number: number): Item | undefined {
  return list[number % Math.max(1, list.length)]
}

/** Index of a live worker, modulo the number of live workers when the case runs. */
const anyWorker = fc.nat(2)

const anySubmits = commandOf(
  fc.record({
    count: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 8 }) },
      { weight: 1, arbitrary: fc.integer({ min: 20, max: 40 }) },
    ),
    model: fc.nat(models.length - 1),
    requiredAbilities: fc.subarray([...abilities] as Ability[], { maxLength: 2 }),
    account: fc.integer({ min: 1, max: accountCount }),
    through: fc.nat(3),
  }),
  ({ count, model, requiredAbilities, account, through }) =>
    `submit ${count} of model ${models[model]}${requiredAbilities.length > 0 ? ` requiring ${requiredAbilities.join(' and ')}` : ''} by account ${account} through process ${through}`,
  async (world, { count, model, requiredAbilities, account, through }) => {
    const modelNames = [...new Set(world.routes.map((route) => route.model))]
    await world.submit(count, pickItem(modelNames, model) ?? '', requiredAbilities, account, through)
  },
)

const anyAdvance = commandOf(
  fc.constantFrom(10, 300, 1_000, 2_500, 6_000, 20_000),
  (ms) => `advance ${ms} ms`,
  (world, ms) => world.advance(ms),
)

const anyJobEnd = commandOf(
  fc.record({ job: fc.nat(20), fails: fc.boolean() }),
  ({ job, fails }) => `${fails ? 'fail' : 'finish'} job ${job}`,
  async (world, { job, fails }) => {
    const running = pickItem(world.providers.running(), job)
    if (running === undefined) return
    running.endsAtMs = world.time.nowMs
    running.hasFailed = fails
  },
)

const anyRouteResponse = commandOf(
  fc.record({ route: fc.nat(11), response: anyResponse }),
  ({ route, response }) => `route ${route} responds ${describeResponse(response)}`,
  async (world, { route, response }) => {
    const target = pickItem(world.routes, route)
    if (target !== undefined) target.response = response
  },
)

const anyUpstreamResponse = commandOf(
  fc.record({ upstream: fc.nat(5), response: anyResponse, probeResult: anyProbeResult }),
  ({ upstream, response, probeResult }) =>
    `upstream ${upstream} responds ${describeResponse(response)}, its probe ${describeResponse(probeResult)}`,
  async (world, { upstream, response, probeResult }) => {
    const target = pickItem(world.upstreams, upstream)
    // An upstream that accepts tasks does not fail a probe.
    const mustPass = response.kind === 'ok' && probeResult.kind === 'fails'
    if (target !== undefined)
      Object.assign(target, { response, probeResult: mustPass ? healthyResponses.probeResult : probeResult })
  },
)

const anyPollResponseChange = commandOf(
  fc.record({ upstream: fc.nat(5), pollResponse: anyPollResponse }),
  ({ upstream, pollResponse }) => `upstream ${upstream} responds ${describeResponse(pollResponse)} to polls`,
  async (world, { upstream, pollResponse }) => {
    const target = pickItem(world.upstreams, upstream)
    if (target !== undefined) target.pollResponse = pollResponse
  },
)

/**
 * Lets a route reject the first submits and accept later ones. Neither of the two outcomes may
 * override the other.
 */
const anyMixedBurst = commandOf(
  fc.record({ route: fc.nat(11), response: anyResponse, count: fc.integer({ min: 1, max: 4 }), through: fc.nat(3) }),
  ({ route, response, count, through }) =>
    `submit ${count} through process ${through} that get ${describeResponse(response)} from route ${route}, and the same number that are accepted`,
  async (world, { route, response, count, through }) => {
    const target = pickItem(world.routes, route)
    if (target === undefined) return
    target.response = response
    await world.submit(count, target.model, [], 1, through)
    await world.advance(20)
    target.response = { kind: 'ok' }
    await world.submit(count, target.model, [], 2, through)
  },
)

const anyCancel = commandOf(
  fc.record({ task: fc.nat(30), isSettled: fc.boolean(), through: anyWorker }),
  ({ task, isSettled, through }) => `cancel task ${task}${isSettled ? '' : ' while timers run'} through worker ${through}`,
  async (world, { task, isSettled, through }) => {
    const target = pickItem(world.checks.openTasks, task)
    if (target === undefined) return
    if (!isSettled) world.time.runDue()
    await world.cancel(target, through)
  },
)

const changes = {
  'limit of an upstream': (world: World, index: number, value: number) => {
    const upstream = pickItem(world.upstreams, index)
    if (upstream !== undefined) upstream.inFlightMax = value
  },
  'limit of a route': (world: World, index: number, value: number) => {
    const route = pickItem(world.routes, index)
    if (route !== undefined) route.inFlightMax = value
  },
  'name of an upstream': (world: World, index: number, value: number) => {
    const upstream = pickItem(world.upstreams, index)
    if (upstream !== undefined) upstream.name = `${nameOf(upstream)}-renamed-${value}`
  },
  'key of an upstream': (world: World, index: number, value: number) => {
    const upstream = pickItem(world.upstreams, index)
    if (upstream === undefined || upstream.key === `key-${value}`) return
    upstream.key = `key-${value}`
    world.checks.pauses.clear(upstream)
    for (const route of world.routes) if (route.upstream === upstream) world.checks.pauses.clear(route)
  },
  'removal of a route': (world: World, index: number) => {
    const route = pickItem(world.routes, index)
    const otherRoutes = world.routes.filter(
      (candidate) => candidate !== route && candidate.isConfigured && candidate.model === route?.model,
    )
    if (route !== undefined && otherRoutes.length > 0) route.isConfigured = false
  },
  'return of a route': (world: World, index: number) => {
    const removed = world.routes.filter(({ isConfigured }) => !isConfigured)
    const route = pickItem(removed, index)
    if (route !== undefined) route.isConfigured = true
  },
  'priority of a route': (world: World, index: number, value: number) => {
    const route = pickItem(world.routes, index)
    if (route !== undefined) route.priority = value % 3
  },
} as const satisfies Record<string, (world: World, index: number, value: number) => void>

const anyReload = commandOf(
  fc.record({
    change: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    index: fc.nat(11),
    value: fc.integer({ min: 1, max: 5 }),
    /** Delay between one worker and the next. */
    gapMs: fc.constantFrom(0, 0, 200, 700),
    first: anyWorker,
  }),
  ({ change, index, value, gapMs, first }) =>
    `reload with another ${change}: number ${index}, value ${value}; worker ${first} first, each other ${gapMs} ms later`,
  async (world, { change, index, value, gapMs, first }) => {
    await world.settle()
    changes[change](world, index, value)
    await world.reload(gapMs, first)
  },
)

const anyKill = commandOf(
  fc.record({ worker: anyWorker, steps: fc.nat(12), startsAnother: fc.boolean() }),
  ({ worker, steps, startsAnother }) =>
    `kill worker ${worker} after ${steps} steps${startsAnother ? ' and start another one' : ''}`,
  (world, { worker, steps, startsAnother }) => world.kill(worker, steps, startsAnother),
)

const anyLeave = commandOf(
  anyWorker,
  (worker) => `stop worker ${worker}`,
  (world, worker) => world.leave(worker),
)

const anyJoin = commandOf(
  fc.constant(null),
  () => 'start another worker',
  (world) => world.join(),
)

const commonCommands = [
  { weight: 9, arbitrary: anySubmits },
  { weight: 9, arbitrary: anyAdvance },
  { weight: 3, arbitrary: anyJobEnd },
  { weight: 4, arbitrary: anyRouteResponse },
  { weight: 4, arbitrary: anyUpstreamResponse },
  { weight: 2, arbitrary: anyPollResponseChange },
  { weight: 3, arbitrary: anyMixedBurst },
  { weight: 3, arbitrary: anyCancel },
  { weight: 3, arbitrary: anyReload },
] as const

/** Commands for an engine with one worker at a time, which is restarted when it ends. */
const singleWorkerCommands = [
  { weight: 1, arbitrary: anyKill },
  { weight: 1, arbitrary: anyLeave },
] as const

const severalWorkersCommands = [
  { weight: 3, arbitrary: anyKill },
  { weight: 1, arbitrary: anyLeave },
  { weight: 4, arbitrary: anyJoin },
] as const

export function anyCommands({ workersMax }: Engine): fc.Arbitrary<Command[]> {
  if (workersMax === 1) return fc.array(fc.oneof(...commonCommands, ...singleWorkerCommands), { minLength: 2, maxLength: 14 })
  return fc.array(fc.oneof(...commonCommands, ...severalWorkersCommands), { minLength: 2, maxLength: 30, size: 'max' })
}

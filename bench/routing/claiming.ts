import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Secret } from '../../packages/server/src/config/secret.ts'
import { openSqliteStore } from '../../packages/server/src/db/sqlite/sqlite-store.ts'
import { newAccount, newTask } from '../../packages/server/src/db/store-under-test.ts'
import type { Store } from '../../packages/server/src/db/store.ts'
import { Dispatcher } from '../../packages/server/src/dispatch/dispatcher.ts'
import type { Driver, GenerationRequest } from '../../packages/server/src/drivers/driver.ts'
import type { UpstreamDriver } from '../../packages/server/src/drivers/upstream/upstream-driver.ts'
import { systemClock } from '../../packages/server/src/lib/clock.ts'
import { createLogger } from '../../packages/server/src/lib/logger.ts'
import type { RouteDefinition, UpstreamDefinition } from '../../packages/server/src/routing/configuration/definitions.ts'
import { createRouteSnapshots } from '../../packages/server/src/routing/route-snapshots.ts'
import { Routes } from '../../packages/server/src/routing/routes.ts'
import { createEncryption, readEncryptionKey } from '../../packages/server/src/routing/encryption.ts'
import { createFindSlotPools } from '../../packages/server/src/routing/slot-pools.ts'
import { noTelemetry } from '../../packages/server/src/telemetry/telemetry.ts'
import { machineLine, thisMachine } from '../http/machine.ts'

/**
 * Measures the throughput of claiming and starting queued tasks on SQLite, with 10,000 tasks and
 * 200 routes of 20 upstreams. The driver accepts each job immediately, and no job ends. Run it with
 * `npm run bench:routing`.
 */
const tasks = 10_000
const upstreams = 20
const routesPerUpstream = 10
const leaseMs = 30_000

const started = { tasks: 0 }
const size = { width: 64, height: 32 }

const acceptingDriver: UpstreamDriver = {
  name: 'accepting',
  defaultBaseUrl: null,
  credential: { isRequired: false, format: 'anything' },
  refuse: () => null,
  connect: (): Driver => ({
    name: 'accepting',
    isStartIdempotent: false,
    async start(request: GenerationRequest, context) {
      await context.beforeSubmit()
      started.tasks += 1
      return { id: request.attemptId }
    },
    poll: () => Promise.resolve({ state: 'running' }),
    fetchOutput: () => Promise.reject(new Error('nothing is generated here')),
    async [Symbol.asyncDispose]() {},
  }),
}

const definitions: UpstreamDefinition[] = Array.from({ length: upstreams }, (_, n) => ({
  name: `upstream-${n}`,
  driver: acceptingDriver,
  baseUrl: `http://127.0.0.1:9/${n}`,
  credential: new Secret('key'),
  inFlightMax: 100_000,
  pollsPerSecondMax: 1,
}))
const routes: RouteDefinition[] = definitions.flatMap((upstream, n) =>
  Array.from({ length: routesPerUpstream }, (_, m) => ({
    name: `route-${n}-${m}`,
    model: `model-${n}-${m}`,
    upstream,
    target: { baseUrl: upstream.baseUrl, model: `m${m}`, parameters: {}, extra: {}, workflow: null, slots: {} },
    priority: 0,
    weight: 1,
    inFlightMax: 1_000,
    deferMaxMs: 30_000,
    deadlineMs: null,
    cost: null,
  })),
)

async function openRoutes(store: Store, folder: string): Promise<Routes> {
  const opened = new Routes({
    store,
    snapshots: createRouteSnapshots(store.database, createEncryption(readEncryptionKey(folder)), systemClock),
    findPools: createFindSlotPools(store.database),
    drivers: [acceptingDriver],
    embedded: { driver: acceptingDriver.connect(undefined as never, undefined as never), inFlightMax: 1 },
    tools: undefined as never,
    callbackUrl: () => null,
    clock: systemClock,
    logger: createLogger('silent'),
  })
  await opened.use({ upstreams: definitions, routes })
  return opened
}

async function acceptAll(store: Store, opened: Routes): Promise<void> {
  const accountNo = await newAccount(store, 'acct', 1_000_000_000)
  const nextId = store.createTaskIds(systemClock)
  const accepting = Array.from({ length: tasks }, (_, n) => {
    const { model } = routes[n % routes.length] ?? { model: '' }
    const placement = opened.place(model, { model, object: 'video', size, parameters: {} })
    if (placement === 'no_route' || !('lane' in placement)) throw new Error(`no lane for ${model}`)
    return store.accept(newTask({ id: nextId(), accountNo, model, lane: placement.lane }))
  })
  for (const outcome of await Promise.all(accepting)) if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
}

/**
 * Claims all tasks and records their attempts without a dispatcher, to measure only the store and
 * the allocator.
 */
async function claimAll(store: Store, routes: Routes): Promise<void> {
  const confirming: Promise<unknown>[] = []
  for (let claimed = 0; claimed < tasks;) {
    const { waiting, pools } = await store.takeDue(leaseMs, 64)
    routes.observe(pools)
    const claims = await store.claim(routes.allocate(waiting, 64).grants, leaseMs)
    for (const claim of claims) confirming.push(store.beginAttempt(claim, 1), store.recordOperation(claim, 1, '{}'))
    claimed += claims.length
  }
  await Promise.all(confirming)
}

/** Starts a dispatcher, which claims and starts every task. Then stops it. */
async function startAll(store: Store, routes: Routes): Promise<void> {
  started.tasks = 0
  const dispatcher = new Dispatcher({
    store,
    routes,
    findModelFacts: () => ({
      size: () => size,
      resultsMax: () => 1,
      charge: () => 0,
      hold: () => 0,
      promptCharactersMax: 0,
      deadlineMs: 3_600_000,
    }),
    collector: {
      collect: () => Promise.reject(new Error('nothing is generated here')),
      discard: async () => {},
      startThumbnails: () => {},
      release: async () => {},
    },
    telemetry: noTelemetry,
    clock: systemClock,
    logger: createLogger('error'),
  })
  dispatcher.start()
  while (started.tasks < tasks) await setImmediate()
  durations.push(['started by the dispatcher', (performance.now() - startedAtMs) / 1000])
  startedAtMs = performance.now()
  await dispatcher.drain(5_000)
  await dispatcher[Symbol.asyncDispose]()
  durations.push(['stopped with all of them in flight', (performance.now() - startedAtMs) / 1000])
}

const durations: [what: string, seconds: number][] = []
let startedAtMs = 0

async function measure(step: 'claimed' | 'started'): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-claiming-'))
  const store = await openSqliteStore({ dataDir: folder, clock: systemClock })
  const routes = await openRoutes(store, folder)
  try {
    await acceptAll(store, routes)
    startedAtMs = performance.now()
    if (step === 'started') await startAll(store, routes)
    else {
      await claimAll(store, routes)
      durations.push(['claimed', (performance.now() - startedAtMs) / 1000])
    }
  } finally {
    await routes[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

process.stdout.write(
  `${machineLine(thisMachine('this bench alone'))}\n${tasks} tasks, ${routes.length} routes, ${upstreams} upstreams\n`,
)
for (let round = 0; round < 3; round++) {
  await measure('claimed')
  await measure('started')
}
for (const [label, seconds] of durations) {
  process.stdout.write(`${label}: ${seconds.toFixed(2)} s, ${Math.round(tasks / seconds)}/s\n`)
}
process.exit(0)

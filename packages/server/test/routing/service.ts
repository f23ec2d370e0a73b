import { Secret } from '../../src/config/secret.ts'
import type { Store } from '../../src/db/store.ts'
import type { TaskRecord } from '../../src/db/task-queries.ts'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import type { ModelFacts } from '../../src/dispatch/model-facts.ts'
import { createUnresolvedAttempts } from '../../src/dispatch/unresolved-attempts.ts'
import { watchOverdue } from '../../src/dispatch/watch-overdue.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { messageOf } from '../../src/lib/message-of.ts'
import type { RouteDefinition, UpstreamDefinition } from '../../src/routing/configuration/definitions.ts'
import { createRouteSnapshots } from '../../src/routing/route-snapshots.ts'
import { Routes } from '../../src/routing/routes.ts'
import type { Route } from '../../src/routing/route.ts'
import { createEncryption } from '../../src/routing/encryption.ts'
import { createFindSlotPools } from '../../src/routing/slot-pools.ts'
import { noTelemetry } from '../../src/telemetry/telemetry.ts'
import type { Features, Providers, ScriptedRoute, ScriptedUpstream, Sender } from './scripted-upstream.ts'
import type { VirtualProcess } from './virtual-time.ts'

export const modelDeadlineMs = 120_000
export const priceMicroCredits = 10

const modelFacts: ModelFacts = {
  size: () => ({ width: 64, height: 32 }),
  resultsMax: () => 1,
  charge: () => priceMicroCredits,
  hold: () => priceMicroCredits,
  promptCharactersMax: 5_000,
  deadlineMs: modelDeadlineMs,
}
/** Log messages of errors that a case may cause. Any other error is a violation. */
const expectedErrors: ReadonlySet<string> = new Set(['an attempt failed to start'])

const encryption = createEncryption(Buffer.alloc(32, 7).toString('base64'))

const allFeatures: Features[] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  find: (bits & 1) > 0,
  cancel: (bits & 2) > 0,
  probe: (bits & 4) > 0,
}))

function driverNameOf({ find, cancel, probe }: Features): string {
  return ['scripted', find && 'find', cancel && 'cancel', probe && 'probe'].filter(Boolean).join('-')
}

/** Upstreams and routes as read by a process. */
export interface Configuration {
  /** Number of the change that led to this configuration. */
  readonly version: number
  readonly upstreams: ReadonlyMap<ScriptedUpstream, Pick<ScriptedUpstream, 'key' | 'inFlightMax'>>
  /** Configured routes only. */
  readonly routes: ReadonlyMap<ScriptedRoute, Pick<ScriptedRoute, 'priority' | 'inFlightMax'>>
}

export function configurationOf(
  version: number,
  upstreams: readonly ScriptedUpstream[],
  routes: readonly ScriptedRoute[],
): Configuration {
  return {
    version,
    upstreams: new Map(upstreams.map((upstream) => [upstream, { ...upstream }])),
    routes: new Map(routes.filter(({ isConfigured }) => isConfigured).map((route) => [route, { ...route }])),
  }
}

/** One process: the components between the store and the upstreams, assembled as in the service. */
export class Service implements Sender {
  readonly name: string
  readonly store: Store
  readonly routes: Routes
  readonly dispatcher: Dispatcher
  readonly #process: VirtualProcess
  readonly #watch: AsyncDisposable
  readonly #drivers
  #routeOf = new Map<ScriptedRoute, Route>()

  constructor(name: string, process: VirtualProcess, store: Store, providers: Providers, clock: Clock) {
    const logger = createLogger('silent')
    logger.error = (fields: unknown, message?: string) => {
      const { err } = fields as { err?: unknown }
      if (!this.isDead && !expectedErrors.has(message ?? '')) providers.observer.logged(`${name}: ${message}: ${messageOf(err)}`)
    }
    this.name = name
    this.#process = process
    this.store = store
    this.#drivers = allFeatures.map((features) => providers.driver(driverNameOf(features), features, this))
    this.routes = new Routes({
      store,
      snapshots: createRouteSnapshots(store.database, encryption, clock),
      findPools: createFindSlotPools(store.database),
      drivers: this.#drivers,
      embedded: { driver: undefined as never, inFlightMax: 1 },
      // The scripted drivers use no tools.
      tools: undefined as never,
      callbackUrl: () => null,
      clock,
      logger,
    })
    this.dispatcher = new Dispatcher({
      store,
      routes: this.routes,
      findModelFacts: () => modelFacts,
      collector: {
        collect: async ({ taskId }) => ({
          objectKey: `${taskId}.mp4`,
          contentType: 'video/mp4',
          sizeBytes: 4,
          sha256: 'a'.repeat(64),
          width: 64,
          height: 32,
          durationMs: 4000,
          seed: null,
          expiresAtMs: clock() + 1000,
          removed: false,
        }),
        discard: async () => {},
        startThumbnails: () => {},
        release: async () => {},
      },
      telemetry: noTelemetry,
      clock,
      logger,
      findDelaysMs: [100, 1_000],
    })
    const unresolved = createUnresolvedAttempts(store.database, clock)
    this.#watch = watchOverdue({
      isLeader: () => store.workers.rank === 0,
      unresolved,
      store,
      routes: this.routes,
      findModelFacts: () => modelFacts,
      telemetry: noTelemetry,
      clock,
      logger,
    })
  }

  get isDead(): boolean {
    return this.#process.hasExited
  }

  async use(upstreams: readonly ScriptedUpstream[], routes: readonly ScriptedRoute[]): Promise<void> {
    const definitions = new Map(upstreams.map((upstream) => [upstream, this.#definitionOf(upstream)]))
    const configured = routes.filter(({ isConfigured }) => isConfigured)
    const byRoute = new Map(configured.map((route) => [route, routeDefinitionOf(route, definitions.get(route.upstream) ?? null)]))
    await this.routes.use({ upstreams: [...definitions.values()], routes: [...byRoute.values()] })
    this.#routeOf = new Map()
    for (const [route, definition] of byRoute) {
      const created = this.routes.routeOf(definition)
      if (created !== undefined) this.#routeOf.set(route, created)
    }
  }

  routeOf(route: ScriptedRoute): Route | undefined {
    return this.#routeOf.get(route)
  }

  onEnded(listener: (task: TaskRecord) => void): void {
    this.store.onTaskChanged((task) => {
      if (task.endedAtMs !== null) listener(task)
    })
  }

  async stop(): Promise<void> {
    await this.#watch[Symbol.asyncDispose]()
    await this.dispatcher[Symbol.asyncDispose]()
    await this.routes[Symbol.asyncDispose]()
  }

  #definitionOf({ name, key, baseUrl, features, inFlightMax }: ScriptedUpstream): UpstreamDefinition {
    const driver = this.#drivers.find((candidate) => candidate.name === driverNameOf(features))
    if (driver === undefined) throw new Error('no driver has these features')
    return { name, driver, baseUrl, credential: new Secret(key), inFlightMax, pollsPerSecondMax: 1000 }
  }
}

function routeDefinitionOf(route: ScriptedRoute, upstream: UpstreamDefinition | null): RouteDefinition {
  const { id, model, priority, weight, inFlightMax, deferMaxMs, deadlineMs } = route
  return {
    // A route without a configured name gets the name of its upstream.
    name: upstream?.name ?? '',
    model,
    upstream,
    target: { baseUrl: route.upstream.baseUrl, model: id, parameters: {}, extra: {}, workflow: null, slots: {} },
    priority,
    weight,
    inFlightMax,
    deferMaxMs,
    deadlineMs,
    cost: null,
  }
}

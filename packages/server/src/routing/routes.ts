import { createHash } from 'node:crypto'
import type { ClaimedLane, Store } from '../db/store.ts'
import type { Driver } from '../drivers/driver.ts'
import type {
  ParameterRefusal,
  UpstreamDriver,
  UpstreamRequest,
  UpstreamTarget,
  UpstreamTools,
} from '../drivers/upstream/upstream-driver.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { Circuit } from './circuit.ts'
import { embeddedName, everyModel, type RouteDefinition, type Routing, type UpstreamDefinition } from './definitions.ts'
import type { FrozenRoute, FrozenRoutes } from './frozen-routes.ts'
import { PollBudget, pollsPerSecondDefault } from './poll-budget.ts'
import { Route, type ShareOfLimit, type Upstream } from './route.ts'
import { createShareOfLimit } from './share-of-limit.ts'
import { PlacesTaken, ranksOf, sharePlaces, type Ranks } from './share-places.ts'

export interface RoutesOptions {
  store: Pick<Store, 'setLanes' | 'workers'>
  frozen: FrozenRoutes
  drivers: readonly UpstreamDriver[]
  /** Serves every model that the operator has no route for. */
  embedded: { driver: Driver; inFlightMax: number }
  tools: Omit<UpstreamTools, 'callbackUrl'>
  /** Where an upstream may call about an attempt on this route; null where it cannot reach us. */
  callbackUrl: (frozenNo: number, attemptId: string) => string | null
  clock: Clock
  logger: Logger
}

/** Those who wait for the same routes. */
interface Lane {
  no: number
  routes: readonly Route[]
  ranks: Ranks
}

/** Of a route that an operator has said nothing of. */
const usual = { priority: 0, weight: 1, deferMaxMs: 30_000, deadlineMs: null, probe: null, refuse: () => null }

const probeMs = 15_000

/**
 * The routes that hold now, and how each is doing in this process. What the operator changes takes effect at once; attempts
 * under way go on as they were started, found by the number of their frozen route.
 */
export class Routes implements AsyncDisposable {
  readonly #options: RoutesOptions
  readonly #upstreams = new Map<string, Upstream>()
  readonly #connections = new Map<number, Driver>()
  /** By model and frozen number, those of the past too. */
  readonly #routes = new Map<string, Route>()
  readonly #probing = new Set<Route>()
  readonly #embedded: Route
  readonly #shareOf: ShareOfLimit
  #laneOfModel: ReadonlyMap<string, Lane> = new Map()
  #others: Lane
  #lanes: readonly Lane[]
  /** Of those in use. */
  #routeOfDefinition: ReadonlyMap<RouteDefinition, Route> = new Map()

  constructor(options: RoutesOptions) {
    this.#options = options
    this.#shareOf = createShareOfLimit(() => options.store.workers)
    const { driver, inFlightMax } = options.embedded
    this.#embedded = new Route({
      ...usual,
      name: embeddedName,
      frozenNo: 0,
      upstream: { name: embeddedName, inFlight: 0, inFlightMax, circuit: new Circuit(), polls: null, shareOf: (max) => max },
      driver,
      inFlightMax,
    })
    this.#others = newLane(0, [this.#embedded])
    this.#lanes = [this.#others]
  }

  /** What the operator has configured, instead of what held before. */
  async use({ routes }: Routing): Promise<void> {
    const byModel = new Map<string, Route[]>()
    const byDefinition = new Map<RouteDefinition, Route>()
    for (const definition of routes) {
      const route = await this.#routeFor(definition)
      byDefinition.set(definition, route)
      byModel.set(definition.model, [...(byModel.get(definition.model) ?? []), route])
    }
    this.#routeOfDefinition = byDefinition
    this.#others = newLane(0, byModel.get(everyModel) ?? [this.#embedded])
    byModel.delete(everyModel)
    this.#laneOfModel = new Map([...byModel].map(([model, served]) => [model, newLane(laneNoOf(served), served)]))
    this.#lanes = [...new Map([...this.#laneOfModel.values(), this.#others].map((lane) => [lane.no, lane])).values()]
    await this.#options.store.setLanes(new Map([...this.#laneOfModel].map(([model, lane]) => [model, lane.no])))
  }

  /** How many tasks of each lane may be claimed now, and on which routes. */
  room(placesMax: number): ClaimedLane[] {
    const nowMs = this.#options.clock()
    const taken = new PlacesTaken()
    return this.#lanes.flatMap(({ no, routes, ranks }) => {
      for (const route of routes) this.#probeIfDue(route, nowMs)
      const places = sharePlaces(ranks, placesMax, nowMs, taken)
      if (places.length === 0) return []
      return [
        { lane: no, routes: places.map(({ route, limit }) => ({ route: route.name, frozenNo: route.settings.frozenNo, limit })) },
      ]
    })
  }

  /** The route that an attempt is made on; undefined when this process has not met it yet (`revive`). */
  routeOf(model: string, frozenNo: number): Route | undefined {
    const known = this.#routes.get(keyOf(model, frozenNo)) ?? this.#routes.get(keyOf(everyModel, frozenNo))
    return frozenNo === 0 ? (known ?? this.#embedded) : known
  }

  /** The route of an attempt, whatever its model: only to ask its driver. */
  async routeWithNo(frozenNo: number): Promise<Route | undefined> {
    const known = [...this.#routes.values()].find((route) => route.settings.frozenNo === frozenNo)
    return known ?? (await this.revive(frozenNo))
  }

  /** A route of the past, as it was frozen. Undefined when it cannot be gone on with: its driver is no longer there. */
  async revive(frozenNo: number): Promise<Route | undefined> {
    const frozen = await this.#options.frozen.find(frozenNo)
    if (frozen === undefined) return undefined
    const driver = this.#connect(frozen, frozenNo)
    if (driver === undefined) return undefined
    const upstream = this.#upstream(frozen.upstream, frozen.target.baseUrl, frozen.target.credential, {
      inFlightMax: Infinity,
      pollsPerSecondMax: pollsPerSecondDefault,
    })
    const route = new Route({ ...usual, name: frozen.name, frozenNo, upstream, driver, inFlightMax: Infinity })
    this.#routes.set(keyOf(everyModel, frozenNo), route)
    return route
  }

  /** The route that is made of a definition in use. */
  madeOf(definition: RouteDefinition): Route | undefined {
    return this.#routeOfDefinition.get(definition)
  }

  get embedded(): Route {
    return this.#embedded
  }

  /** Another route that has room and can do what is asked, best first. */
  another(model: string, request: UpstreamRequest, tried: ReadonlySet<Route>): Route | undefined {
    const nowMs = this.#options.clock()
    return this.#laneOf(model)
      .ranks.flat()
      .find((route) => !tried.has(route) && route.freePlaces(nowMs) > 0 && route.settings.refuse(request) === null)
  }

  /** Every route that new tasks may take. */
  inUse(): readonly Route[] {
    return [...new Set(this.#lanes.flatMap(({ routes }) => routes))]
  }

  /** The routes that serve a model now. */
  serving(model: string): readonly Route[] {
    return this.#laneOf(model).routes
  }

  /** True when nothing that an upstream says can matter: the embedded driver makes whatever the catalogue allows. */
  isEmbedded(model: string): boolean {
    return this.serving(model)[0]?.settings.frozenNo === 0
  }

  /** Why a task would not be made on any route: nobody can do what it asks, or all are out of order. */
  refuse(model: string, request: UpstreamRequest): ParameterRefusal | 'no_route' | null {
    const nowMs = this.#options.clock()
    const routes = this.serving(model)
    const refusals = routes.map((route) => ({ route, refusal: route.settings.refuse(request) }))
    const able = refusals.filter(({ refusal }) => refusal === null)
    if (able.length === 0) return refusals[0]?.refusal ?? 'no_route'
    return able.every(({ route }) => route.isOutOfOrder(nowMs)) ? 'no_route' : null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const driver of this.#connections.values()) await driver[Symbol.asyncDispose]()
  }

  #laneOf(model: string): Lane {
    return this.#laneOfModel.get(model) ?? this.#others
  }

  async #routeFor(definition: RouteDefinition): Promise<Route> {
    const { name, model, upstream, target, priority, weight, inFlightMax, deferMaxMs, deadlineMs } = definition
    const rank = { priority, weight, deferMaxMs, deadlineMs }
    if (upstream === null) {
      const settings = {
        ...this.#embedded.settings,
        ...rank,
        name,
        inFlightMax: Math.min(inFlightMax, this.#options.embedded.inFlightMax),
      }
      return this.#changed(keyOf(model, 0), settings)
    }
    const frozen = frozenOf(name, upstream, target)
    const frozenNo = await this.#options.frozen.freeze(frozen)
    const driver = this.#connect(frozen, frozenNo)
    if (driver === undefined) throw new Error(`there is no driver ${frozen.driver}`)
    const upstreamDriver = upstream.driver
    const probe = (): Promise<void> =>
      upstreamDriver.probe?.(frozen.target, this.#toolsFor(frozenNo), AbortSignal.timeout(probeMs)) ?? Promise.resolve()
    return this.#changed(keyOf(model, frozenNo), {
      ...rank,
      name,
      frozenNo,
      upstream: this.#upstream(upstream.name, upstream.baseUrl, frozen.target.credential, upstream),
      driver,
      inFlightMax,
      probe: 'probe' in upstreamDriver ? probe : null,
      refuse: (request) => upstream.driver.refuse(request, target),
    })
  }

  /** The same route keeps its counts; only how it ranks may have changed. */
  #changed(key: string, settings: Route['settings']): Route {
    const known = this.#routes.get(key)
    if (known !== undefined) {
      known.settings = settings
      return known
    }
    const route = new Route(settings)
    this.#routes.set(key, route)
    return route
  }

  #upstream(name: string, baseUrl: string, credential: string, limits: UpstreamLimits): Upstream {
    const key = createHash('sha256')
      .update(JSON.stringify([name, baseUrl, credential]))
      .digest('base64url')
    const known = this.#upstreams.get(key)
    if (known !== undefined) {
      if (limits.inFlightMax !== Infinity) known.inFlightMax = limits.inFlightMax
      return known
    }
    const { inFlightMax, pollsPerSecondMax } = limits
    const upstream: Upstream = {
      name,
      inFlight: 0,
      inFlightMax,
      circuit: new Circuit(),
      polls: new PollBudget(() => pollsPerSecondMax / this.#options.store.workers.count),
      shareOf: this.#shareOf,
    }
    this.#upstreams.set(key, upstream)
    return upstream
  }

  #connect(frozen: FrozenRoute, frozenNo: number): Driver | undefined {
    const known = this.#connections.get(frozenNo)
    if (known !== undefined) return known
    const upstreamDriver = this.#options.drivers.find((driver) => driver.name === frozen.driver)
    const driver = upstreamDriver?.connect(frozen.target, this.#toolsFor(frozenNo))
    if (driver !== undefined) this.#connections.set(frozenNo, driver)
    return driver
  }

  #toolsFor(frozenNo: number): UpstreamTools {
    const { tools, callbackUrl } = this.#options
    return { ...tools, callbackUrl: (attemptId) => callbackUrl(frozenNo, attemptId) }
  }

  /** What can be asked for nothing is not tried with a task that somebody waits for. */
  #probeIfDue(route: Route, nowMs: number): void {
    const { probe } = route.settings
    if (probe === null || !route.isOnTrial(nowMs) || this.#probing.has(route)) return
    this.#probing.add(route)
    void probe()
      .then(() => route.answered())
      .catch((error: unknown) => {
        route.faulty(this.#options.clock(), 'upstream')
        this.#options.logger.warn({ err: error, route: route.name }, 'a route that is out of order was probed in vain')
      })
      .finally(() => this.#probing.delete(route))
  }
}

type UpstreamLimits = Pick<UpstreamDefinition, 'inFlightMax' | 'pollsPerSecondMax'>

function frozenOf(name: string, { name: upstream, driver, credential }: UpstreamDefinition, target: UpstreamTarget): FrozenRoute {
  return { name, driver: driver.name, upstream, target: { ...target, credential: credential?.reveal() ?? '' } }
}

function keyOf(model: string, frozenNo: number): string {
  return `${frozenNo} ${model}`
}

function newLane(no: number, routes: readonly Route[]): Lane {
  return { no, routes, ranks: ranksOf(routes) }
}

/** The same routes in every process have the same number. Lane 0 is that of every model without a route of its own. */
function laneNoOf(routes: readonly Route[]): number {
  const digest = createHash('sha256')
    .update(JSON.stringify(routes.map((route) => route.settings.frozenNo)))
    .digest()
  return digest.readUIntBE(0, 6) + 1
}

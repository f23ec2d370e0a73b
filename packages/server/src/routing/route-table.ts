import type { Driver } from '../drivers/driver.ts'
import { refuseRequest } from '../drivers/upstream/refuse-request.ts'
import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import { upstreamKey, type RouteConnections } from './connections.ts'
import {
  embeddedName,
  everyModel,
  type RouteDefinition,
  type Routing,
  type UpstreamDefinition,
} from './configuration/definitions.ts'
import { ranksOf } from './lanes.ts'
import type { PoolWatch } from './pool-watch.ts'
import { Route, type RouteSettings, type Upstream } from './route.ts'
import type { FindSlotPools } from './slot-pools.ts'
import { Slots } from './slots.ts'

export interface RouteTableDependencies {
  findPools: FindSlotPools
  /**
   * The embedded driver. If a model has no route, the driver serves it: every image or video model,
   * and each text model whose texts it can write.
   */
  embedded: {
    driver: Driver
    inFlightMax: number
    refuse?: (parameters: UpstreamRequest['parameters']) => ParameterRefusal | null
  }
  /**
   * Returns whether the embedded driver generates the texts of a text model. Returns null for any
   * other model. Routes for `*` do not serve text models, because media providers generate no
   * texts. Default: no model is a text model.
   */
  isEmbeddedText?: (model: string) => boolean | null
  connections: RouteConnections
  poolWatch: PoolWatch
}

/** The routes of a configuration, before they replace the routes in use. */
export interface LoadedRoutes {
  routesByModel: Map<string, Route[]>
  routeOfDefinition: ReadonlyMap<RouteDefinition, Route>
  /** Slots of the upstreams whose base URL or key has changed. */
  slotsOfChangedUpstreams: ReadonlySet<Slots>
}

/** Settings of the built-in routes. */
const builtInSettings = {
  priority: 0,
  weight: 1,
  deferMaxMs: 30_000,
  deadlineMs: null,
  target: null,
  probe: null,
  refuse: () => null,
  forwards: false,
}

const simulatedInFlightMax = 1_000
const noRoutes: readonly Route[] = []

/**
 * The routes and upstreams in use, and the models that they serve. The route of a pool stays the
 * same object when the configuration changes.
 */
export class RouteTable {
  readonly embedded: Route
  readonly simulated: Route
  readonly #dependencies: RouteTableDependencies
  readonly #upstreams = new Map<number, Upstream>()
  /**
   * The routes, by the number of their pool. If this process counts the slots of a route itself,
   * the key consists of the model and name of the route instead.
   */
  readonly #routes = new Map<number | string, Route>()
  readonly #embeddedOnly: readonly Route[]
  #routesOfModel: ReadonlyMap<string, readonly Route[]> = new Map()
  /** Routes of all models that have no routes of their own, except text models. */
  #otherRoutes: readonly Route[]
  #routesInUse: readonly Route[]
  #routeOfDefinition: ReadonlyMap<RouteDefinition, Route> = new Map()

  constructor(dependencies: RouteTableDependencies) {
    this.#dependencies = dependencies
    this.embedded = embeddedRoute(dependencies.embedded.inFlightMax)
    this.simulated = embeddedRoute(simulatedInFlightMax)
    this.#embeddedOnly = [this.embedded]
    this.#otherRoutes = this.#embeddedOnly
    this.#routesInUse = this.#otherRoutes
  }

  /** Stores snapshots of the routes of a configuration, and opens their connections. */
  async load(routing: Routing): Promise<LoadedRoutes> {
    const pools = await this.#dependencies.findPools(routing)
    const routesByModel = new Map<string, Route[]>()
    const routeOfDefinition = new Map<RouteDefinition, Route>()
    const slotsOfChangedUpstreams = new Set<Slots>()
    for (const definition of routing.upstreams) {
      const pool = pools.ofUpstream(definition)
      const previousKey = this.#upstreams.get(pool)?.key
      const { key, slots } = this.#useUpstream(pool, definition)
      if (previousKey !== undefined && previousKey !== key) slotsOfChangedUpstreams.add(slots)
    }
    for (const definition of routing.routes) {
      const { upstream } = definition
      const route =
        upstream === null
          ? this.#useEmbedded(definition)
          : await this.#useRoute(definition, upstream, pools.ofRoute(definition), pools.ofUpstream(upstream))
      routeOfDefinition.set(definition, route)
      const modelRoutes = routesByModel.get(definition.model)
      if (modelRoutes === undefined) routesByModel.set(definition.model, [route])
      else modelRoutes.push(route)
    }
    for (const model of routing.disabledModels ?? []) if (!routesByModel.has(model)) routesByModel.set(model, [])
    return { routesByModel, routeOfDefinition, slotsOfChangedUpstreams }
  }

  replace({ routesByModel, routeOfDefinition }: LoadedRoutes): void {
    this.#routeOfDefinition = routeOfDefinition
    this.#otherRoutes = routesByModel.get(everyModel) ?? this.#embeddedOnly
    routesByModel.delete(everyModel)
    this.#routesOfModel = routesByModel
    this.#routesInUse = [...new Set([...routesByModel.values(), this.#otherRoutes].flat())]
    this.#clearRoutes()
    for (const routes of [...routesByModel.values(), this.#otherRoutes]) for (const rank of ranksOf(routes)) resetCredits(rank)
  }

  /** Returns the route object of a definition that is in use. */
  routeOf(definition: RouteDefinition): Route | undefined {
    return this.#routeOfDefinition.get(definition)
  }

  /** Every usable configured route, and the embedded route if no route is configured for `*`. */
  get routesInUse(): readonly Route[] {
    return this.#routesInUse
  }

  /** The routes that serve a model in the configuration in use. */
  routesServing(model: string): readonly Route[] {
    const modelRoutes = this.#routesOfModel.get(model)
    if (modelRoutes !== undefined) return modelRoutes
    const isEmbeddedText = this.#dependencies.isEmbeddedText?.(model) ?? null
    if (isEmbeddedText === null) return this.#otherRoutes
    return isEmbeddedText ? this.#embeddedOnly : noRoutes
  }

  get upstreams(): Iterable<Upstream> {
    return this.#upstreams.values()
  }

  upstreamOfPool(pool: number): Upstream | undefined {
    return this.#upstreams.get(pool)
  }

  /** Returns the upstream or route that a pool belongs to. Used in log lines only. */
  namesOf(pool: number): { upstream?: string; route?: string } {
    const upstream = this.#upstreams.get(pool)?.name
    const route = this.#routes.get(pool)?.name
    return { ...(upstream !== undefined && { upstream }), ...(route !== undefined && { route }) }
  }

  /**
   * Forgets removed routes. The slots of a removed route are kept while an attempt is in flight on
   * it, because the route may be added again.
   */
  #clearRoutes(): void {
    const inUse = new Set(this.#routesInUse)
    for (const [key, route] of this.#routes) if (!inUse.has(route) && route.inFlight === 0) this.#routes.delete(key)
  }

  #useEmbedded(definition: RouteDefinition): Route {
    const { name, model, inFlightMax } = definition
    const slots = this.#routes.get(embeddedRouteKey(model, name))?.slots ?? new Slots(null, inFlightMax)
    slots.inFlightMax = Math.min(inFlightMax, this.#dependencies.embedded.inFlightMax)
    const settings = { ...this.embedded.settings, ...allocationSettingsOf(definition), name }
    return this.#updateRoute(embeddedRouteKey(model, name), slots, settings)
  }

  async #useRoute(definition: RouteDefinition, upstream: UpstreamDefinition, pool: number, upstreamPool: number): Promise<Route> {
    const { name, target, inFlightMax, cost } = definition
    const { snapshotNo, probe } = await this.#dependencies.connections.saveSnapshot(name, upstream, target, cost)
    const slots = this.#dependencies.poolWatch.slotsOf(pool)
    slots.inFlightMax = inFlightMax
    const { baseUrl: _, ...remainingTarget } = target
    return this.#updateRoute(pool, slots, {
      ...allocationSettingsOf(definition),
      name,
      snapshotNo,
      upstream: this.#useUpstream(upstreamPool, upstream),
      target: remainingTarget,
      probe,
      refuse: (request) => refuseRequest(upstream.driver, request, target),
      forwards: upstream.driver.forwards === true && definition.model !== everyModel,
    })
  }

  /**
   * Returns the route with changed settings. A known route keeps its slots and its round-robin
   * credit.
   */
  #updateRoute(key: number | string, slots: Slots, settings: RouteSettings): Route {
    const existing = this.#routes.get(key)
    if (existing !== undefined) {
      existing.settings = settings
      return existing
    }
    const route = new Route(slots, settings)
    this.#routes.set(key, route)
    return route
  }

  #useUpstream(pool: number, definition: UpstreamDefinition): Upstream {
    const { name, driver, baseUrl, credential, inFlightMax, pollsPerSecondMax } = definition
    const { connections, poolWatch } = this.#dependencies
    const slots = poolWatch.slotsOf(pool)
    slots.inFlightMax = inFlightMax
    connections.pollLimiterOf(pool).perSecondMax = pollsPerSecondMax
    const key = upstreamKey(driver.name, { baseUrl, credential: credential?.reveal() ?? '' })
    const upstream = this.#upstreams.get(pool) ?? { name, key, slots }
    Object.assign(upstream, { name, key })
    this.#upstreams.set(pool, upstream)
    return upstream
  }
}

/** A route to the embedded driver, whose slots this process counts. */
function embeddedRoute(inFlightMax: number): Route {
  const upstream: Upstream = { name: embeddedName, key: '', slots: new Slots(null, inFlightMax) }
  return new Route(new Slots(null, inFlightMax), { ...builtInSettings, name: embeddedName, snapshotNo: 0, upstream })
}

/**
 * Resets the credits of a rank when its routes or weights have changed, because the credits result
 * from choices among the former routes.
 */
function resetCredits(rank: readonly Route[]): void {
  const key = JSON.stringify(rank.map(({ slots, settings }) => [slots.pool ?? settings.name, settings.priority, settings.weight]))
  if (rank.every((route) => route.rankKey === key)) return
  for (const route of rank) Object.assign(route, { rankKey: key, credit: 0 })
}

function allocationSettingsOf({ priority, weight, deferMaxMs, deadlineMs }: RouteDefinition) {
  return { priority, weight, deferMaxMs, deadlineMs }
}

function embeddedRouteKey(model: string, name: string): string {
  return JSON.stringify([model, name])
}

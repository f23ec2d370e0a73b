import type { Store } from '../db/store.ts'
import type { PoolState, WaitingLane } from '../db/task-queue.ts'
import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { findEligible, findRejection } from './eligible-routes.ts'
import { Allocator, type Allocation, splitByKnownLanes } from './allocate.ts'
import { RouteConnection } from './connection.ts'
import { RouteConnections, type ConnectionsDependencies } from './connections.ts'
import { embeddedName, everyModel, type RouteDefinition, type Routing } from './configuration/definitions.ts'
import { explainRoutes, type RouteExplanation } from './explain.ts'
import { ForwardRoutes } from './forward-routes.ts'
import { LaneIndex } from './lane-index.ts'
import { newLane, ranksOf, simulationLaneNo } from './lanes.ts'
import { secondsUntilFirst } from './pause.ts'
import type { PollRateLimiter } from './poll-rate-limiter.ts'
import { PoolWatch } from './pool-watch.ts'
import { RouteHealth } from './route-health.ts'
import { RouteTable, type RouteTableDependencies } from './route-table.ts'
import type { Route } from './route.ts'
import type { Slots } from './slots.ts'
import { SuspectedRequests } from './suspected-requests.ts'

export interface RoutesDependencies
  extends ConnectionsDependencies, Pick<RouteTableDependencies, 'findPools' | 'embedded' | 'isEmbeddedText'> {
  store: Pick<Store, 'changePool' | 'readPools' | 'workers'>
  clock: Clock
  logger: Logger
}

const noRouteRefusal: ParameterRefusal = { parameter: 'model', message: 'model has no route any more' }

/** The lane (queue partition) in which a task can wait, or the reason why it cannot be accepted. */
export type Placement = { lane: number } | { refusal: ParameterRefusal } | 'no_route'

/**
 * The routes in use and the known state of their slots. This class decides which waiting tasks are
 * claimed on which route (`allocate`). A changed configuration takes effect immediately. An attempt
 * in flight continues on the connection on which it was started.
 */
export class Routes implements AsyncDisposable {
  /** Records how a refused or accepted submit changes the slot pools. */
  readonly health: RouteHealth
  /** The routes of requests for token models. */
  readonly forwarding: ForwardRoutes
  readonly simulationLane = simulationLaneNo
  /**
   * Number of the configuration in use, counted from the start of this process. The lanes of
   * earlier configurations are discarded.
   */
  version = 0
  readonly #dependencies: RoutesDependencies
  readonly #allocator = new Allocator()
  readonly #connections: RouteConnections
  readonly #table: RouteTable
  readonly #lanes = new LaneIndex()
  readonly #poolWatch: PoolWatch
  /**
   * Whether this process has called `allocate`. It stays false in a process that does not run
   * tasks.
   */
  #hasAllocated = false

  constructor(dependencies: RoutesDependencies) {
    this.#dependencies = dependencies
    const { store, clock, logger } = dependencies
    const { driver } = dependencies.embedded
    const connections = new RouteConnections(dependencies, new RouteConnection(0, embeddedName, '', driver))
    const poolWatch = new PoolWatch({
      store,
      clock,
      logger,
      namesOf: (pool) => this.#table.namesOf(pool),
      onRead: () => this.#recordFreeSlots(),
    })
    const table = new RouteTable({ ...dependencies, connections, poolWatch })
    const suspectedRequests = new SuspectedRequests()
    this.health = new RouteHealth({ table, connections, poolWatch, suspectedRequests, clock })
    this.forwarding = new ForwardRoutes({ table, health: this.health, poolWatch, suspectedRequests, clock })
    this.#connections = connections
    this.#poolWatch = poolWatch
    this.#table = table
    this.#resetLanes()
  }

  /** Replaces the routing in use by this configuration of the operator. */
  async use(routing: Routing): Promise<void> {
    const loadedRoutes = await this.#table.load(routing)
    this.#table.replace(loadedRoutes)
    this.#resetLanes()
    await this.#poolWatch.read()
    // This step must come last: until here, failures with the former key or base URL could still
    // pause the upstream.
    for (const slots of loadedRoutes.slotsOfChangedUpstreams) await this.#poolWatch.endLocalPause(slots)
  }

  /** Returns the lane in which a task can wait for a route, or the reason why there is none. */
  place(model: string, request: UpstreamRequest): Placement {
    const routes = this.routesServing(model)
    const { eligible, refusals } = findEligible(routes, request)
    return (
      findRejection({ eligible, refusals }, this.#dependencies.clock()) ?? { lane: this.#lanes.laneNoOf(model, routes, eligible) }
    )
  }

  /**
   * Like `place`, for a task that was accepted before. The task waits even if all its routes are
   * out of order. If some routes have refused it, it stays in the lane of the remaining routes
   * while that lane exists.
   */
  placeAccepted(model: string, request: UpstreamRequest, currentLane: number): { lane: number } | { refusal: ParameterRefusal } {
    const routes = this.routesServing(model)
    const { eligible, refusals } = findEligible(routes, request)
    const [refusal = noRouteRefusal] = refusals.values()
    if (eligible.length === 0) return { refusal }
    const remaining = this.#lanes.remainingOf(currentLane, model, routes, eligible)
    return {
      lane:
        remaining === undefined
          ? this.#lanes.laneNoOf(model, routes, eligible)
          : this.#lanes.laneNoOfRemaining(model, routes, eligible, remaining),
    }
  }

  /**
   * Returns the lane of a task after the route of this pool has refused it as unsuitable. Returns
   * null if no other route is left. `claimedFrom`, the lane from which the task was claimed, shows
   * which routes have refused the task before.
   */
  placeAfterRefusal(pool: number, model: string, request: UpstreamRequest, claimedFrom: number): number | null {
    const routes = this.routesServing(model)
    const { eligible } = findEligible(routes, request)
    // The route is no longer in use, so the task returns to its lane. A later placement uses the
    // routes in use.
    if (!eligible.some(({ slots }) => slots.pool === pool)) return claimedFrom
    const remainingBefore = this.#lanes.remainingOf(claimedFrom, model, routes, eligible) ?? new Set(eligible)
    const remaining = new Set([...remainingBefore].filter(({ slots }) => slots.pool !== pool))
    return remaining.size === 0 ? null : this.#lanes.laneNoOfRemaining(model, routes, eligible, remaining)
  }

  /**
   * Predicts the outcome of a task of this model now, by the rules of `place` and `allocate`. The
   * prediction changes nothing.
   */
  explain(model: string, request: UpstreamRequest): RouteExplanation {
    return explainRoutes(this.routesServing(model), request, this.#dependencies.clock())
  }

  /** Like `explain`, for a simulated task. */
  explainSimulation(request: UpstreamRequest): RouteExplanation {
    return explainRoutes([this.#table.simulated], request, this.#dependencies.clock())
  }

  /**
   * Returns the lane of a model that only the embedded driver serves, or null for any other model.
   * The embedded routes refuse no request, so all tasks of the model have one lane.
   * `embeddedRefusal` checks a request.
   */
  embeddedLane(model: string): number | null {
    const routes = this.routesServing(model)
    return routes.length > 0 && routes.every(({ slots }) => slots.pool === null)
      ? this.#lanes.laneNoOf(model, routes, routes)
      : null
  }

  /**
   * Returns the reason why the embedded driver cannot serve a request on this machine, or null if
   * it can.
   */
  embeddedRefusal(parameters: UpstreamRequest['parameters']): ParameterRefusal | null {
    return this.#dependencies.embedded.refuse?.(parameters) ?? null
  }

  /**
   * Chooses the waiting tasks to claim now. `unknownLanes` has the numbers of the lanes that this
   * process does not know, because they belong to an earlier configuration or because only other
   * processes have placed tasks in them. The tasks of these lanes must be placed again.
   */
  allocate(
    waiting: readonly WaitingLane[],
    grantsMax: number,
  ): Pick<Allocation, 'grants' | 'undoUnclaimed'> & { unknownLanes: number[] } {
    const nowMs = this.#dependencies.clock()
    const { demands, unknownLanes } = splitByKnownLanes(waiting, this.#lanes.lanes)
    for (const upstream of this.#table.upstreams) this.health.probeIfDue(upstream)
    const { grants, freeSlots, undoUnclaimed } = this.#allocator.allocate(demands, grantsMax, nowMs)
    this.#hasAllocated = true
    for (const route of this.routesInUse()) route.recordFreeSlots(freeSlots(route), nowMs)
    return { grants, undoUnclaimed, unknownLanes }
  }

  /**
   * Whether a task might be claimed. False only if this process counts the slots of all routes in
   * use itself, and no slot is free.
   */
  get mayHaveFreeSlot(): boolean {
    const nowMs = this.#dependencies.clock()
    return [...this.routesInUse(), this.embedded].some((route) => route.slots.pool !== null || route.freeSlots(nowMs) > 0)
  }

  /** Replaces the known state of all pools with the state that was read from the store. */
  observe(pools: readonly PoolState[]): void {
    this.#poolWatch.observe(pools)
  }

  /**
   * Returns the connection of an attempt, or undefined if this process has not opened it yet
   * (`connect`).
   */
  connection(snapshotNo: number): RouteConnection | undefined {
    return this.#connections.get(snapshotNo)
  }

  /**
   * Opens the connection of a route snapshot. Returns undefined if the snapshot or its driver does
   * not exist.
   */
  async connect(snapshotNo: number): Promise<RouteConnection | undefined> {
    return this.#connections.connect(snapshotNo)
  }

  /**
   * Returns the limiter of polls to the upstream of this pool, or null if polls need no network.
   */
  pollLimiterOf(upstreamPool: number | null): PollRateLimiter | null {
    return upstreamPool === null ? null : this.#connections.pollLimiterOf(upstreamPool)
  }

  /**
   * Returns the slots that an attempt takes on one of the embedded routes of this process. The
   * process counts these slots itself.
   */
  embeddedSlots(model: string, name: string, isSimulated: boolean): readonly Slots[] {
    if (isSimulated) return [this.#table.simulated.slots]
    const route =
      this.routesServing(model).find((candidate) => candidate.slots.pool === null && candidate.name === name) ?? this.embedded
    return [route.slots, route.settings.upstream.slots]
  }

  /**
   * Whether the route of a snapshot can serve the request. Also true if the route is no longer in
   * use.
   */
  accepts(snapshotNo: number, request: UpstreamRequest): boolean {
    const route = this.routesServing(request.model).find(({ settings }) => settings.snapshotNo === snapshotNo)
    return route === undefined || route.settings.refuse(request) === null
  }

  /** Returns the routes of a model that are not paused, in the order of their priority. */
  byPriority(model: string): Route[] {
    const nowMs = this.#dependencies.clock()
    return ranksOf(this.routesServing(model))
      .flat()
      .filter((route) => route.pausedUntilMs(nowMs) === null)
  }

  /**
   * Returns the time until a submit for this model may be sent again: the shortest remaining pause
   * of its routes, in seconds, rounded up. At least 1.
   */
  retryAfterSeconds(model: string): number {
    const nowMs = this.#dependencies.clock()
    return secondsUntilFirst(
      this.routesServing(model).map((route) => route.pausedUntilMs(nowMs) ?? nowMs),
      nowMs,
    )
  }

  routeOf(definition: RouteDefinition): Route | undefined {
    return this.#table.routeOf(definition)
  }

  get embedded(): Route {
    return this.#table.embedded
  }

  /** Every usable configured route, and the embedded route if no route is configured for `*`. */
  routesInUse(): readonly Route[] {
    return this.#table.routesInUse
  }

  routesServing(model: string): readonly Route[] {
    return this.#table.routesServing(model)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#poolWatch[Symbol.dispose]()
    await this.#connections[Symbol.asyncDispose]()
  }

  #resetLanes(): void {
    this.version += 1
    this.#lanes.reset(newLane(simulationLaneNo, everyModel, [this.#table.simulated]))
  }

  /**
   * In a process that claims no tasks, records the free slots of the routes after each read of the
   * pools. `explain` can then predict the same failovers as a process that claims tasks.
   */
  #recordFreeSlots(): void {
    if (this.#hasAllocated) return
    const nowMs = this.#dependencies.clock()
    for (const route of this.routesInUse()) route.recordFreeSlots(route.freeSlots(nowMs), nowMs)
  }
}

import type { Store } from '../db/store.ts'
import type { Attempt, AttemptPools, PoolState, WaitingLane } from '../db/task-queue.ts'
import type { Driver, NotAccepted } from '../drivers/driver.ts'
import { ProbeError } from '../drivers/upstream/probe-error.ts'
import { AcceptanceUnknown } from '../drivers/upstream/classify-error.ts'
import { refuseRequest } from '../drivers/upstream/refuse-request.ts'
import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { messageOf } from '../lib/message-of.ts'
import { findEligible, findRejection } from './eligible-routes.ts'
import { Allocator, type Allocation, chooseRoute, recordChoice, splitByKnownLanes } from './allocate.ts'
import { RouteConnection } from './connection.ts'
import { RouteConnections, upstreamKey, type ConnectionsDependencies } from './connections.ts'
import { embeddedName, everyModel, type RouteDefinition, type Routing, type UpstreamDefinition } from './definitions.ts'
import { explainRoutes, type RouteExplanation } from './explain.ts'
import { laneNoOf, laneNoOfRemaining, lanesOfRemaining, newLane, ranksOf, simulationLaneNo, type Lane } from './lanes.ts'
import type { PollRateLimiter } from './poll-rate-limiter.ts'
import { PoolWatch, type PoolProbe } from './pool-watch.ts'
import { Route, type RouteSettings, type Upstream } from './route.ts'
import type { FindSlotPools } from './slot-pools.ts'
import { Slots } from './slots.ts'
import { SuspectedRequests, type SuspectedRequest } from './suspected-requests.ts'

export interface RoutesDependencies extends ConnectionsDependencies {
  store: Pick<Store, 'changePool' | 'readPools' | 'workers'>
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
  clock: Clock
  logger: Logger
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
const noRouteRefusal: ParameterRefusal = { parameter: 'model', message: 'model has no route any more' }

type RefusedAttempt = Pick<Attempt, 'pools' | 'snapshotNo'>

/** The lane in which a task can wait, or the reason why the task cannot be accepted. */
export type Placement = { lane: number } | { refusal: ParameterRefusal } | 'no_route'

/**
 * The routes in use and the known state of their slots. This class decides which waiting tasks are
 * claimed on which route (`allocate`), and how a refused or accepted submit changes the slot pools.
 * A changed configuration takes effect immediately. An attempt in flight continues on the
 * connection on which it was started.
 */
export class Routes implements AsyncDisposable {
  readonly #dependencies: RoutesDependencies
  readonly #allocator = new Allocator()
  readonly #connections: RouteConnections
  readonly #upstreams = new Map<number, Upstream>()
  /**
   * The routes, by the number of their pool. If this process counts the slots of a route itself,
   * the key consists of the model and name of the route instead.
   */
  readonly #routes = new Map<number | string, Route>()
  readonly #poolWatch: PoolWatch
  readonly #suspectedRequests = new SuspectedRequests()
  readonly #embedded: Route
  readonly #embeddedOnly: readonly Route[]
  readonly #simulated: Route
  #routesOfModel: ReadonlyMap<string, readonly Route[]> = new Map()
  /** Routes of all models that have no routes of their own, except text models. */
  #otherRoutes: readonly Route[]
  #routesInUse: readonly Route[]
  /** Lanes of the routing in use, by number. */
  #lanes = new Map<number, Lane>()
  /** Lane numbers, by model and the positions of the routes that can serve the tasks. */
  #laneNos = new Map<string, number>()
  /**
   * Lane numbers for tasks that every route of their model can serve, by model. Most tasks are of
   * this kind.
   */
  #fullLaneNos = new Map<string, number>()
  /**
   * Lanes of tasks that some routes have refused, each with its remaining routes. The keys are the
   * keys of `#laneNos`.
   */
  #remainingByEligible = new Map<string, ReadonlyMap<number, ReadonlySet<Route>>>()
  #routeOfDefinition: ReadonlyMap<RouteDefinition, Route> = new Map()
  /**
   * Number of the configuration in use, counted from the start of this process. The lanes of
   * earlier configurations are discarded.
   */
  version = 0
  /**
   * Whether this process has called `allocate`. It stays false in a process that does not run
   * tasks.
   */
  #hasAllocated = false

  constructor(dependencies: RoutesDependencies) {
    this.#dependencies = dependencies
    const { driver, inFlightMax } = dependencies.embedded
    this.#connections = new RouteConnections(dependencies, new RouteConnection(0, embeddedName, '', driver))
    this.#embedded = embeddedRoute(inFlightMax)
    this.#simulated = embeddedRoute(simulatedInFlightMax)
    this.#embeddedOnly = [this.#embedded]
    this.#otherRoutes = this.#embeddedOnly
    this.#routesInUse = this.#otherRoutes
    this.#clearLanes()
    const { store, clock, logger } = dependencies
    this.#poolWatch = new PoolWatch({
      store,
      clock,
      logger,
      namesOf: (pool) => this.#namesOf(pool),
      onRead: () => this.#recordFreeSlots(),
    })
  }

  /** Replaces the routing in use by this configuration of the operator. */
  async use(routing: Routing): Promise<void> {
    const pools = await this.#dependencies.findPools(routing)
    const routesByModel = new Map<string, Route[]>()
    const routeByDefinition = new Map<RouteDefinition, Route>()
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
      routeByDefinition.set(definition, route)
      const modelRoutes = routesByModel.get(definition.model)
      if (modelRoutes === undefined) routesByModel.set(definition.model, [route])
      else modelRoutes.push(route)
    }
    for (const model of routing.disabledModels ?? []) if (!routesByModel.has(model)) routesByModel.set(model, [])
    this.#routeOfDefinition = routeByDefinition
    this.#otherRoutes = routesByModel.get(everyModel) ?? this.#embeddedOnly
    routesByModel.delete(everyModel)
    this.#routesOfModel = routesByModel
    this.#routesInUse = [...new Set([...routesByModel.values(), this.#otherRoutes].flat())]
    this.#clearRoutes()
    for (const routes of [...routesByModel.values(), this.#otherRoutes]) for (const rank of ranksOf(routes)) resetCredits(rank)
    this.#clearLanes()
    await this.#poolWatch.read()
    // This step must come last: until here, failures with the former key or base URL could still
    // pause the upstream.
    for (const slots of slotsOfChangedUpstreams) await this.#poolWatch.endLocalPause(slots)
  }

  /** Returns the lane in which a task can wait for a route, or the reason why there is none. */
  place(model: string, request: UpstreamRequest): Placement {
    const routes = this.routesServing(model)
    const { eligible, refusals } = findEligible(routes, request)
    return findRejection({ eligible, refusals }, this.#dependencies.clock()) ?? { lane: this.#laneOf(model, routes, eligible).no }
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
    const remaining = this.#lanesOfRemaining(model, routes, eligible).get(currentLane)
    return {
      lane:
        remaining === undefined
          ? this.#laneOf(model, routes, eligible).no
          : this.#laneOfRemaining(model, routes, eligible, remaining).no,
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
    const remainingBefore = this.#lanesOfRemaining(model, routes, eligible).get(claimedFrom) ?? new Set(eligible)
    const remaining = new Set([...remainingBefore].filter(({ slots }) => slots.pool !== pool))
    return remaining.size === 0 ? null : this.#laneOfRemaining(model, routes, eligible, remaining).no
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
    return explainRoutes([this.#simulated], request, this.#dependencies.clock())
  }

  /**
   * Returns the lane of a model that only the embedded driver serves, or null for any other model.
   * The embedded driver renders everything that the catalogue allows, so all tasks of the model
   * have one lane.
   */
  embeddedLane(model: string): number | null {
    const routes = this.routesServing(model)
    return routes.length > 0 && routes.every(({ slots }) => slots.pool === null) ? this.#laneOf(model, routes, routes).no : null
  }

  /**
   * Returns the reason why the embedded driver cannot serve a request on this machine, or null if
   * it can.
   */
  embeddedRefusal(parameters: UpstreamRequest['parameters']): ParameterRefusal | null {
    return this.#dependencies.embedded.refuse?.(parameters) ?? null
  }

  readonly simulationLane = simulationLaneNo

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
    const { demands, unknownLanes } = splitByKnownLanes(waiting, this.#lanes)
    for (const { slots } of this.#upstreams.values()) this.#poolWatch.probeIfDue(slots, () => this.#probeOf(slots))
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
    return [...this.routesInUse(), this.#embedded].some((route) => route.slots.pool !== null || route.freeSlots(nowMs) > 0)
  }

  /**
   * Chooses a route for a request for a token model, among the routes that were not tried before.
   * Unlike a task, the request does not wait for a preferred route while another route is free.
   *
   *   busy       each remaining route is full or paused, some of them perhaps only for this account
   *   no_route   no route remains, or all remaining routes are out of order, perhaps only for this
   *              account
   */
  chooseForwardRoute(model: string, accountNo: number, triedRoutes: ReadonlySet<Route>): Route | 'busy' | 'no_route' {
    const nowMs = this.#dependencies.clock()
    const routes = this.routesServing(model).filter((route) => route.settings.forwards && !triedRoutes.has(route))
    if (routes.every((route) => route.isOutOfOrder(nowMs) || this.#isOutOfOrderFor(accountNo, route, nowMs))) return 'no_route'
    for (const { settings } of routes) {
      const { slots } = settings.upstream
      this.#poolWatch.probeIfDue(slots, () => this.#probeOf(slots))
    }
    const { candidates, next } = chooseRoute(
      ranksOf(routes),
      (route) => (this.#accountPauseEndMs(route, accountNo, nowMs) === null ? route.freeSlots(nowMs) : 0),
      nowMs,
      () => true,
    )
    if (next === undefined) return 'busy'
    recordChoice(candidates, next)
    return next
  }

  /**
   * Whether a route for requests of this token model has a free slot. With `accountNo`, routes that
   * are paused for this account do not count.
   */
  hasFreeForwardRoute(model: string, accountNo?: number): boolean {
    const nowMs = this.#dependencies.clock()
    return this.routesServing(model).some(
      (route) =>
        route.settings.forwards &&
        route.freeSlots(nowMs) > 0 &&
        (accountNo === undefined || this.#accountPauseEndMs(route, accountNo, nowMs) === null),
    )
  }

  /** Whether the operator has set a route for requests of this token model. */
  hasForwardRoute(model: string): boolean {
    return this.routesServing(model).some(({ settings }) => settings.forwards)
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
    if (isSimulated) return [this.#simulated.slots]
    const route =
      this.routesServing(model).find((candidate) => candidate.slots.pool === null && candidate.name === name) ?? this.#embedded
    return [route.slots, route.settings.upstream.slots]
  }

  /** Records that an upstream has accepted an attempt. */
  async recordAccepted(pools: AttemptPools): Promise<void> {
    this.#forgetSuspectedRequests(pools.route)
    await Promise.all([pools.route, pools.upstream].map((pool) => this.#poolWatch.confirm(pool)))
  }

  /**
   * Records that an upstream certainly did not accept an attempt:
   *
   *   the request does not suit the route   nothing is paused
   *   the service could not connect         the upstream is paused
   *   the credential was refused            without a free probe, the upstream is paused; otherwise
   *                                         the route, and also the upstream if the probe fails
   *   any other reason                      the route is paused
   *
   * If the upstream's base URL or key has changed since, nothing is paused unless the provider
   * throttles.
   */
  async recordRefused(
    { pools, snapshotNo }: RefusedAttempt,
    { reason, scope, retryAfterMs, mayConcernRequest, message }: NotAccepted,
  ): Promise<void> {
    if (pools === null || reason === 'unsuitable') return
    // This pause applies even if the key has changed since, because a throttling provider throttles
    // every key.
    if (reason === 'throttled') return this.#poolWatch.pause(pools.route, { condition: 'throttled', retryAfterMs }, message)
    const upstream = this.#upstreamInUse(pools, snapshotNo)
    if (upstream === undefined) return
    const probe = scope === 'credential' ? this.#probeOf(upstream.slots) : null
    if (probe !== null) this.#poolWatch.confirmOutOfOrder(upstream.slots, probe)
    const isOfUpstream = scope === 'upstream' || (scope === 'credential' && probe === null)
    const refusal = { condition: 'unavailable', retryAfterMs, mayConcernRequest } as const
    await this.#poolWatch.pause(isOfUpstream ? pools.upstream : pools.route, refusal, message)
  }

  /**
   * Records that an upstream did not accept a forwarded request. If the request itself may have
   * caused the error, `SuspectedRequests` decides whether the route is paused, unless the route is
   * already failing.
   */
  async recordForwardRefused(
    attempt: RefusedAttempt,
    refusal: NotAccepted,
    request: Pick<SuspectedRequest, 'accountNo' | 'digest'>,
  ): Promise<void> {
    const { pools } = attempt
    if (pools !== null && refusal.mayConcernRequest && !this.#poolWatch.slotsOf(pools.route).isDown) {
      const suspectedRequest = { ...request, retryAfterMs: refusal.retryAfterMs }
      const nowMs = this.#dependencies.clock()
      const effect = this.#suspectedRequests.record(pools.route, suspectedRequest, nowMs)
      if (effect === 'account_paused') this.#poolWatch.slotsOf(pools.route).recordAccountFailure(nowMs, refusal.message)
      if (effect !== 'pause') return
    }
    await this.recordRefused(attempt, refusal)
  }

  /** Records that a route did not accept a request that belongs to no attempt. */
  recordRouteRefused({ slots, settings }: Route, refusal: NotAccepted): Promise<void> {
    const pools =
      slots.pool === null || settings.upstream.slots.pool === null
        ? null
        : { route: slots.pool, upstream: settings.upstream.slots.pool }
    return this.recordRefused({ pools, snapshotNo: settings.snapshotNo }, refusal)
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
   * Records a submit that received no response. The route is paused, because it is unknown whether
   * it works.
   */
  async recordNoResponse({ pools, snapshotNo }: RefusedAttempt, error: unknown): Promise<void> {
    if (pools === null || this.#upstreamInUse(pools, snapshotNo) === undefined) return
    const retryAfterMs = error instanceof AcceptanceUnknown ? error.retryAfterMs : null
    await this.#poolWatch.pause(pools.route, { condition: 'unavailable', retryAfterMs }, messageOf(error))
  }

  /**
   * Returns how long submits stay paused at the route or the upstream of these pools, in
   * milliseconds. Returns 0 if neither is paused.
   */
  remainingPauseMs({ route, upstream }: AttemptPools): number {
    const nowMs = this.#dependencies.clock()
    const pausedSlots = [route, upstream].map((pool) => this.#poolWatch.slotsOf(pool)).filter((slots) => slots.isPaused(nowMs))
    return Math.max(0, ...pausedSlots.map(({ state }) => state.pausedUntilMs - nowMs))
  }

  /**
   * Returns the time until a submit for this model may be sent again: the shortest remaining pause
   * of its routes, in seconds, rounded up. At least 1. With `accountNo`, pauses that apply only to
   * forwarded requests of this account count too.
   */
  retryAfterSeconds(model: string, accountNo?: number): number {
    const nowMs = this.#dependencies.clock()
    const pauseEndsMs = this.routesServing(model).map((route) => {
      const accountEndMs = accountNo === undefined ? null : this.#accountPauseEndMs(route, accountNo, nowMs)
      return Math.max(route.pausedUntilMs(nowMs) ?? nowMs, accountEndMs ?? nowMs)
    })
    return pauseEndsMs.length === 0 ? 1 : Math.max(1, Math.ceil((Math.min(...pauseEndsMs) - nowMs) / 1000))
  }

  /**
   * Ends the pause of a route and of its upstream. Called after a request that is free of charge
   * has shown that the upstream works, or at least responds.
   */
  async recordSuccess({ slots, settings }: Route): Promise<void> {
    if (slots.pool !== null) this.#forgetSuspectedRequests(slots.pool)
    await Promise.all([slots, settings.upstream.slots].map((pausedSlots) => this.#poolWatch.reopen(pausedSlots)))
  }

  /** Returns the route object of a definition that is in use. */
  routeOf(definition: RouteDefinition): Route | undefined {
    return this.#routeOfDefinition.get(definition)
  }

  get embedded(): Route {
    return this.#embedded
  }

  /** Every usable configured route, and the embedded route if no route is configured for `*`. */
  routesInUse(): readonly Route[] {
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#poolWatch[Symbol.dispose]()
    await this.#connections[Symbol.asyncDispose]()
  }

  #forgetSuspectedRequests(pool: number): void {
    this.#suspectedRequests.clear(pool)
    this.#poolWatch.slotsOf(pool).clearAccountFailure()
  }

  #isOutOfOrderFor(accountNo: number, { slots: { pool } }: Route, nowMs: number): boolean {
    return pool !== null && this.#suspectedRequests.isOutOfOrder(pool, accountNo, nowMs)
  }

  #accountPauseEndMs({ slots: { pool } }: Route, accountNo: number, nowMs: number): number | null {
    return pool === null ? null : this.#suspectedRequests.pausedUntilMs(pool, accountNo, nowMs)
  }

  /**
   * Returns the upstream of an attempt. Returns undefined if the upstream's base URL or key has
   * changed since the attempt, because a refusal then says nothing about the new ones.
   */
  #upstreamInUse({ upstream: pool }: AttemptPools, snapshotNo: number): Upstream | undefined {
    const upstream = this.#upstreams.get(pool)
    return upstream?.key === this.#connections.get(snapshotNo)?.upstreamKey ? upstream : undefined
  }

  #laneOf(model: string, routes: readonly Route[], eligible: readonly Route[]): Lane {
    const areAllEligible = eligible.length === routes.length
    const laneNos = areAllEligible ? this.#fullLaneNos : this.#laneNos
    const key = areAllEligible ? model : keyOfEligible(model, routes, eligible)
    let no = laneNos.get(key)
    if (no === undefined) {
      no = laneNoOf(model, routes, eligible)
      laneNos.set(key, no)
    }
    const existing = this.#lanes.get(no)
    if (existing !== undefined) return existing
    const lane = newLane(no, model, eligible)
    this.#lanes.set(no, lane)
    return lane
  }

  /** Returns the lane of tasks that every eligible route outside `remaining` has refused. */
  #laneOfRemaining(model: string, routes: readonly Route[], eligible: readonly Route[], remaining: ReadonlySet<Route>): Lane {
    const no = laneNoOfRemaining(model, routes, eligible, remaining)
    const existing = this.#lanes.get(no)
    if (existing !== undefined) return existing
    const lane = newLane(
      no,
      model,
      eligible.filter((route) => remaining.has(route)),
    )
    this.#lanes.set(no, lane)
    return lane
  }

  #lanesOfRemaining(
    model: string,
    routes: readonly Route[],
    eligible: readonly Route[],
  ): ReadonlyMap<number, ReadonlySet<Route>> {
    const key = keyOfEligible(model, routes, eligible)
    const existing = this.#remainingByEligible.get(key)
    if (existing !== undefined) return existing
    const lanes = lanesOfRemaining(model, routes, eligible)
    this.#remainingByEligible.set(key, lanes)
    return lanes
  }

  /**
   * Forgets removed routes. The slots of a removed route are kept while an attempt is in flight on
   * it, because the route may be added again.
   */
  #clearRoutes(): void {
    const inUse = new Set(this.#routesInUse)
    for (const [key, route] of this.#routes) if (!inUse.has(route) && route.inFlight === 0) this.#routes.delete(key)
  }

  #clearLanes(): void {
    this.version += 1
    this.#laneNos = new Map()
    this.#fullLaneNos = new Map()
    this.#remainingByEligible = new Map()
    this.#lanes = new Map([[simulationLaneNo, newLane(simulationLaneNo, everyModel, [this.#simulated])]])
  }

  #useEmbedded(definition: RouteDefinition): Route {
    const { name, model, inFlightMax } = definition
    const slots = this.#routes.get(embeddedRouteKey(model, name))?.slots ?? new Slots(null, inFlightMax)
    slots.inFlightMax = Math.min(inFlightMax, this.#dependencies.embedded.inFlightMax)
    const settings = { ...this.#embedded.settings, ...allocationSettingsOf(definition), name }
    return this.#updateRoute(embeddedRouteKey(model, name), slots, settings)
  }

  async #useRoute(definition: RouteDefinition, upstream: UpstreamDefinition, pool: number, upstreamPool: number): Promise<Route> {
    const { name, target, inFlightMax, cost } = definition
    const { snapshotNo, probe } = await this.#connections.saveSnapshot(name, upstream, target, cost)
    const slots = this.#poolWatch.slotsOf(pool)
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
    const slots = this.#poolWatch.slotsOf(pool)
    slots.inFlightMax = inFlightMax
    this.#connections.pollLimiterOf(pool).perSecondMax = pollsPerSecondMax
    const key = upstreamKey(driver.name, { baseUrl, credential: credential?.reveal() ?? '' })
    const upstream = this.#upstreams.get(pool) ?? { name, key, slots }
    Object.assign(upstream, { name, key })
    this.#upstreams.set(pool, upstream)
    return upstream
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

  /** Returns the upstream or route that a pool belongs to. Used in log lines only. */
  #namesOf(pool: number): { upstream?: string; route?: string } {
    const upstream = this.#upstreams.get(pool)?.name
    const route = this.#routes.get(pool)?.name
    return { ...(upstream !== undefined && { upstream }), ...(route !== undefined && { route }) }
  }

  /**
   * Returns a function that sends a request free of charge, which shows whether the upstream works.
   * Returns null if there is no such request.
   */
  #probeOf(slots: Slots): PoolProbe | null {
    const route = this.routesInUse().find(({ settings }) => settings.upstream.slots === slots && settings.probe !== null)
    if (route === undefined) return null
    const { probe, upstream, snapshotNo } = route.settings
    const isInUse = (): boolean => upstream.key === this.#connections.get(snapshotNo)?.upstreamKey
    return async () => {
      try {
        await probe?.()
        return isInUse() ? 'works' : 'outdated'
      } catch (error) {
        if (!isInUse()) return 'outdated'
        if (error instanceof ProbeError) return 'reached'
        throw error
      }
    }
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

function keyOfEligible(model: string, routes: readonly Route[], eligible: readonly Route[]): string {
  return `${eligible.map((route) => routes.indexOf(route)).join()} ${model}`
}

function embeddedRouteKey(model: string, name: string): string {
  return JSON.stringify([model, name])
}

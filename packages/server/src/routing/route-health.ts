import type { Attempt, AttemptPools } from '../db/task-queue.ts'
import type { NotAccepted } from '../drivers/driver.ts'
import { ProbeError } from '../drivers/upstream/probe-error.ts'
import { AcceptanceUnknown } from '../drivers/upstream/classify-error.ts'
import type { Clock } from '../lib/clock.ts'
import { messageOf } from '../lib/message-of.ts'
import type { RouteConnections } from './connections.ts'
import type { PoolProbe, PoolWatch } from './pool-watch.ts'
import type { Route, Upstream } from './route.ts'
import type { RouteTable } from './route-table.ts'
import type { Slots } from './slots.ts'
import type { SuspectedRequests } from './suspected-requests.ts'

export interface RouteHealthDependencies {
  table: RouteTable
  connections: RouteConnections
  poolWatch: PoolWatch
  suspectedRequests: SuspectedRequests
  clock: Clock
}

export type RefusedAttempt = Pick<Attempt, 'pools' | 'snapshotNo'>

/** Records the outcomes of submits, which pause and reopen routes and upstreams. */
export class RouteHealth {
  readonly #dependencies: RouteHealthDependencies

  constructor(dependencies: RouteHealthDependencies) {
    this.#dependencies = dependencies
  }

  /** Records that an upstream has accepted an attempt. */
  async recordAccepted(pools: AttemptPools): Promise<void> {
    this.#forgetSuspectedRequests(pools.route)
    await Promise.all([pools.route, pools.upstream].map((pool) => this.#dependencies.poolWatch.confirm(pool)))
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
    const { poolWatch } = this.#dependencies
    // This pause applies even if the key has changed since, because a throttling provider throttles
    // every key.
    if (reason === 'throttled') return poolWatch.pause(pools.route, { condition: 'throttled', retryAfterMs }, message)
    const upstream = this.#upstreamInUse(pools, snapshotNo)
    if (upstream === undefined) return
    const probe = scope === 'credential' ? this.#probeOf(upstream.slots) : null
    if (probe !== null) poolWatch.confirmOutOfOrder(upstream.slots, probe)
    const isOfUpstream = scope === 'upstream' || (scope === 'credential' && probe === null)
    const refusal = { condition: 'unavailable', retryAfterMs, mayConcernRequest } as const
    await poolWatch.pause(isOfUpstream ? pools.upstream : pools.route, refusal, message)
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
   * Records a submit that received no response, or a response that does not show whether the job
   * was accepted. The route is paused, because it is unknown whether the route works.
   */
  async recordNoResponse({ pools, snapshotNo }: RefusedAttempt, error: unknown): Promise<void> {
    if (pools === null || this.#upstreamInUse(pools, snapshotNo) === undefined) return
    const retryAfterMs = error instanceof AcceptanceUnknown ? error.retryAfterMs : null
    await this.#dependencies.poolWatch.pause(pools.route, { condition: 'unavailable', retryAfterMs }, messageOf(error))
  }

  /**
   * Ends the pause of a route and of its upstream. Called after a request that is free of charge
   * has shown that the upstream works, or at least responds.
   */
  async recordSuccess({ slots, settings }: Route): Promise<void> {
    if (slots.pool !== null) this.#forgetSuspectedRequests(slots.pool)
    await Promise.all([slots, settings.upstream.slots].map((pausedSlots) => this.#dependencies.poolWatch.reopen(pausedSlots)))
  }

  /**
   * Returns how long submits stay paused at the route or the upstream of these pools, in
   * milliseconds. Returns 0 if neither is paused.
   */
  remainingPauseMs({ route, upstream }: AttemptPools): number {
    const { poolWatch, clock } = this.#dependencies
    const nowMs = clock()
    const pausedSlots = [route, upstream].map((pool) => poolWatch.slotsOf(pool)).filter((slots) => slots.isPaused(nowMs))
    return Math.max(0, ...pausedSlots.map(({ state }) => state.pausedUntilMs - nowMs))
  }

  /**
   * Sends the free probe of an upstream that is down, if its driver has one and the time has come.
   */
  probeIfDue({ slots }: Upstream): void {
    this.#dependencies.poolWatch.probeIfDue(slots, () => this.#probeOf(slots))
  }

  #forgetSuspectedRequests(pool: number): void {
    this.#dependencies.suspectedRequests.clear(pool)
    this.#dependencies.poolWatch.slotsOf(pool).clearAccountFailure()
  }

  /**
   * Returns the upstream of an attempt. Returns undefined if the upstream's base URL or key has
   * changed since the attempt, because a refusal then says nothing about the new ones.
   */
  #upstreamInUse({ upstream: pool }: AttemptPools, snapshotNo: number): Upstream | undefined {
    const upstream = this.#dependencies.table.upstreamOfPool(pool)
    return upstream?.key === this.#dependencies.connections.get(snapshotNo)?.upstreamKey ? upstream : undefined
  }

  /**
   * Returns a function that sends a request free of charge, which shows whether the upstream works.
   * Returns null if there is no such request.
   */
  #probeOf(slots: Slots): PoolProbe | null {
    const { table, connections } = this.#dependencies
    const route = table.routesInUse.find(({ settings }) => settings.upstream.slots === slots && settings.probe !== null)
    if (route === undefined) return null
    const { probe, upstream, snapshotNo } = route.settings
    const isInUse = (): boolean => upstream.key === connections.get(snapshotNo)?.upstreamKey
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

import type { NotAccepted } from '../drivers/driver.ts'
import type { Clock } from '../lib/clock.ts'
import { chooseRoute, recordChoice } from './allocate.ts'
import { ranksOf } from './lanes.ts'
import { secondsUntilFirst } from './pause.ts'
import type { PoolWatch } from './pool-watch.ts'
import type { Route } from './route.ts'
import type { RefusedAttempt, RouteHealth } from './route-health.ts'
import type { RouteTable } from './route-table.ts'
import type { SuspectedRequest, SuspectedRequests } from './suspected-requests.ts'

export interface ForwardRoutesDependencies {
  table: RouteTable
  health: RouteHealth
  poolWatch: PoolWatch
  suspectedRequests: SuspectedRequests
  clock: Clock
}

/**
 * The routes of requests for token models, which are chat, embedding and moderation models. Such a
 * request is forwarded at once and never queued. A route can be paused for one account only.
 */
export class ForwardRoutes {
  readonly #dependencies: ForwardRoutesDependencies

  constructor(dependencies: ForwardRoutesDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Chooses a route for a request, among the routes that were not tried before. Unlike a task, the
   * request does not wait for a preferred route while another route is free.
   *
   *   busy       each remaining route is full or paused, some of them perhaps only for this account
   *   no_route   no route remains, or all remaining routes are out of order, perhaps only for this
   *              account
   */
  choose(model: string, accountNo: number, triedRoutes: ReadonlySet<Route>): Route | 'busy' | 'no_route' {
    const { health, clock } = this.#dependencies
    const nowMs = clock()
    const routes = this.#routesOf(model).filter((route) => !triedRoutes.has(route))
    if (routes.every((route) => route.isOutOfOrder(nowMs) || this.#isOutOfOrderFor(accountNo, route, nowMs))) return 'no_route'
    for (const { settings } of routes) health.probeIfDue(settings.upstream)
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
   * Whether a route of this model has a free slot. With `accountNo`, routes that are paused for
   * this account do not count.
   */
  hasFree(model: string, accountNo?: number): boolean {
    const nowMs = this.#dependencies.clock()
    return this.#routesOf(model).some(
      (route) =>
        route.freeSlots(nowMs) > 0 && (accountNo === undefined || this.#accountPauseEndMs(route, accountNo, nowMs) === null),
    )
  }

  /** Whether the operator has set a route for requests of this model. */
  has(model: string): boolean {
    return this.#routesOf(model).length > 0
  }

  /**
   * Returns the time until a request of this account may be sent again, in whole seconds and at
   * least 1: the shortest remaining pause of the model's routes.
   */
  retryAfterSeconds(model: string, accountNo: number): number {
    const { table, clock } = this.#dependencies
    const nowMs = clock()
    const pauseEndsMs = table
      .routesServing(model)
      .map((route) => Math.max(route.pausedUntilMs(nowMs) ?? nowMs, this.#accountPauseEndMs(route, accountNo, nowMs) ?? nowMs))
    return secondsUntilFirst(pauseEndsMs, nowMs)
  }

  /**
   * Records that an upstream did not accept a request. If the request itself may have caused the
   * error, `SuspectedRequests` decides whether the route is paused, unless the route is already
   * failing.
   */
  async recordRefused(
    attempt: RefusedAttempt,
    refusal: NotAccepted,
    request: Pick<SuspectedRequest, 'accountNo' | 'digest'>,
  ): Promise<void> {
    const { health, poolWatch, suspectedRequests, clock } = this.#dependencies
    const { pools } = attempt
    if (pools !== null && refusal.mayConcernRequest && !poolWatch.slotsOf(pools.route).isDown) {
      const nowMs = clock()
      const effect = suspectedRequests.record(pools.route, { ...request, retryAfterMs: refusal.retryAfterMs }, nowMs)
      if (effect === 'account_paused') poolWatch.slotsOf(pools.route).recordAccountFailure(nowMs, refusal.message)
      if (effect !== 'pause') return
    }
    await health.recordRefused(attempt, refusal)
  }

  #routesOf(model: string): Route[] {
    return this.#dependencies.table.routesServing(model).filter(({ settings }) => settings.forwards)
  }

  #isOutOfOrderFor(accountNo: number, { slots: { pool } }: Route, nowMs: number): boolean {
    return pool !== null && this.#dependencies.suspectedRequests.isOutOfOrder(pool, accountNo, nowMs)
  }

  #accountPauseEndMs({ slots: { pool } }: Route, accountNo: number, nowMs: number): number | null {
    return pool === null ? null : this.#dependencies.suspectedRequests.pausedUntilMs(pool, accountNo, nowMs)
  }
}

import type { LaneGrant, RouteGrant, WaitingLane } from '../db/task-queue.ts'
import { LaneQueue, type LastGrants } from './lane-queue.ts'
import type { Lane } from './lanes.ts'
import type { Route, Upstream } from './route.ts'
import type { Slots } from './slots.ts'
import type { Demand } from './demand.ts'

/**
 * Decides which waiting tasks are claimed, and on which routes. A grant permits the claim of one
 * task of a lane, which is a queue partition, on one route. The order of the grants:
 *
 *   between models       the model whose last grant is the oldest comes next, so that all models
 *                        with a free route get equal shares. Grants on upstreams that the lane
 *                        cannot use are ignored
 *   between lanes        among the lanes of one model, the one whose last grant is the oldest comes
 *                        next
 *   between priorities   among the routes of one lane, the lowest priority number with a free slot
 *                        is used. A higher number is used only if each route with a lower number is
 *                        down or has been busy for its `defer_max`
 *   between routes       smooth weighted round robin chooses among the routes of one priority that
 *                        have a free slot
 *
 * The allocator grants no slot twice. The claim checks every limit again, because other processes
 * may have claimed tasks meanwhile.
 */
export class Allocator {
  #grantCount = 0
  /**
   * Number of the last grant of each model on each upstream. Unlike lanes, these numbers survive a
   * reload of the routing.
   */
  readonly #lastGrants = new Map<string, WeakMap<Upstream, number>>()

  allocate(demands: readonly Demand[], grantsMax: number, nowMs: number): Allocation {
    const usedSlots = new UsedSlots(nowMs)
    const countsByLane = new Map<Lane, Map<Route, number>>()
    const choices: Choice[] = []
    const laneQueue = new LaneQueue(demands, (lane) => this.#lastGrantsOf(lane))
    for (let grantedCount = 0; grantedCount < grantsMax;) {
      const lane = laneQueue.peekLane()
      if (lane === undefined) break
      const { candidates, next: route } = chooseRoute(lane.ranks, (candidate) => usedSlots.freeSlots(candidate), nowMs)
      if (route === undefined) {
        laneQueue.removeFirst()
        continue
      }
      recordChoice(candidates, route)
      choices.push({ model: lane.model, candidates, route })
      usedSlots.takeSlot(route)
      grantedCount += 1
      this.#recordGrant(lane, route)
      laneQueue.countGrant()
      const countsByRoute = countsByLane.get(lane) ?? new Map<Route, number>()
      countsByLane.set(lane, countsByRoute.set(route, (countsByRoute.get(route) ?? 0) + 1))
    }
    const grants = Array.from(countsByLane, ([{ no }, routes]) => ({
      lane: no,
      routes: Array.from(routes, ([route, limit]) => grantOf(route, limit)),
    }))
    return {
      grants,
      freeSlots: (route) => usedSlots.freeSlots(route),
      undoUnclaimed: (claimed) => undoUnclaimed(choices, claimed),
    }
  }

  #lastGrantsOf({ model, ranks, lastGrantNo }: Lane): LastGrants {
    const lastGrants = this.#lastGrants.get(model)
    let modelGrantNo = 0
    if (lastGrants !== undefined) {
      for (const rank of ranks)
        for (const { settings } of rank) modelGrantNo = Math.max(modelGrantNo, lastGrants.get(settings.upstream) ?? 0)
    }
    return { modelGrantNo, laneGrantNo: lastGrantNo }
  }

  #recordGrant(lane: Lane, { settings }: Route): void {
    this.#grantCount += 1
    lane.lastGrantNo = this.#grantCount
    const lastGrants = this.#lastGrants.get(lane.model) ?? new WeakMap<Upstream, number>()
    this.#lastGrants.set(lane.model, lastGrants.set(settings.upstream, this.#grantCount))
  }
}

export interface Allocation {
  grants: LaneGrant[]
  /** Returns the number of slots of a route that remain free after the grants. */
  freeSlots: (route: Route) => number
  /**
   * Undoes the choices of routes for which no task was claimed, because another worker had claimed
   * the task or the task was cancelled. Otherwise, the round-robin credits would count tasks that
   * this worker never started, and its other tasks would not be distributed by weight.
   */
  undoUnclaimed: (claimed: readonly ClaimedRoute[]) => void
}

/** The model of a claimed task, and the route on which it was claimed. */
export interface ClaimedRoute {
  model: string
  route: string
  /**
   * Number of the slot pool of the route. Null if this process counts the slots of the route
   * itself.
   */
  pool: number | null
}

/** A choice that `recordChoice` recorded. */
interface Choice {
  model: string
  candidates: readonly Route[]
  route: Route
}

/**
 * Divides the lanes with waiting tasks into known and unknown ones. Known lanes are returned as
 * demands, unknown ones as numbers.
 */
export function splitByKnownLanes(
  waiting: readonly WaitingLane[],
  lanes: ReadonlyMap<number, Lane>,
): { demands: Demand[]; unknownLanes: number[] } {
  const demands: Demand[] = []
  const unknownLanes: number[] = []
  for (const { lane: no, tasks } of waiting) {
    const lane = lanes.get(no)
    if (lane === undefined) unknownLanes.push(no)
    else demands.push({ lane, tasks })
  }
  return { demands, unknownLanes }
}

export interface RouteChoice {
  /**
   * The routes with a free slot, all of the priority that is used now. Empty while the tasks of the
   * lane have to wait.
   */
  candidates: readonly Route[]
  /** The route of `candidates` that round robin chooses. */
  next: Route | undefined
  /**
   * Routes of the lane that may be used now, with or without a free slot. Excludes the routes that
   * tasks may not use yet, because they first wait for routes with a lower priority number.
   */
  considered: readonly Route[]
}

/**
 * Chooses the next route of a lane. The function changes nothing. `recordChoice` records the
 * choice.
 */
export function chooseRoute(
  ranks: Lane['ranks'],
  freeSlots: (route: Route) => number,
  nowMs: number,
  mayFailOver = (route: Route): boolean => route.shouldFailOver(nowMs),
): RouteChoice {
  const consideredRoutes: Route[] = []
  for (const rank of ranks) {
    consideredRoutes.push(...rank)
    const candidates = rank.filter((route) => freeSlots(route) > 0)
    if (candidates.length > 0) return { candidates, next: nextByWeight(candidates), considered: consideredRoutes }
    if (!rank.every(mayFailOver)) break
  }
  return { candidates: [], next: undefined, considered: consideredRoutes }
}

/** Smooth weighted round robin: chooses the route whose sum of credit and weight is the highest. */
function nextByWeight(candidates: readonly Route[]): Route | undefined {
  let next: Route | undefined
  for (const route of candidates) if (next === undefined || raisedCredit(route) > raisedCredit(next)) next = route
  return next
}

function raisedCredit({ credit, settings }: Route): number {
  return credit + settings.weight
}

export function recordChoice(candidates: readonly Route[], next: Route): void {
  let totalWeight = 0
  for (const route of candidates) {
    route.credit += route.settings.weight
    totalWeight += route.settings.weight
  }
  next.credit -= totalWeight
}

/** Undoes `recordChoice`. Choices may be undone in any order, because credits are sums. */
function undoChoice({ candidates, route }: Choice): void {
  for (const candidate of candidates) {
    candidate.credit -= candidate.settings.weight
    route.credit += candidate.settings.weight
  }
}

function undoUnclaimed(choices: readonly Choice[], claimed: readonly ClaimedRoute[]): void {
  const claimCounts = new Map<string, number>()
  for (const { model, route, pool } of claimed) {
    const key = keyOfClaims(model, pool ?? route)
    claimCounts.set(key, (claimCounts.get(key) ?? 0) + 1)
  }
  for (const choice of choices) {
    const { model, route } = choice
    const key = keyOfClaims(model, route.slots.pool ?? route.name)
    const remainingClaims = claimCounts.get(key) ?? 0
    if (remainingClaims === 0) undoChoice(choice)
    else claimCounts.set(key, remainingClaims - 1)
  }
}

/**
 * Key of the claims of a model on a route. The pool identifies a route that has one, because
 * several routes may have the same name. Names of routes without a pool are unique within a model.
 */
function keyOfClaims(model: string, poolOrName: number | string): string {
  return `${poolOrName} ${model}`
}

/** Counts the slots that one allocation has granted. */
class UsedSlots {
  readonly #nowMs: number
  readonly #usedCounts = new Map<Slots, number>()

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  freeSlots(route: Route): number {
    const { slots: upstreamSlots } = route.settings.upstream
    if (route.freeSlots(this.#nowMs) === 0) return 0
    return Math.min(
      ...[route.slots, upstreamSlots].map((slots) => slots.freeSlots(this.#nowMs) - (this.#usedCounts.get(slots) ?? 0)),
    )
  }

  takeSlot({ slots, settings }: Route): void {
    for (const countedSlots of [slots, settings.upstream.slots])
      this.#usedCounts.set(countedSlots, (this.#usedCounts.get(countedSlots) ?? 0) + 1)
  }
}

function grantOf({ name, slots, settings }: Route, limit: number): RouteGrant {
  const { snapshotNo, deadlineMs, upstream } = settings
  const inFlightMax = Math.min(slots.inFlightMax, upstream.slots.inFlightMax)
  return {
    route: name,
    snapshotNo,
    limit,
    deadlineMs,
    pools:
      slots.pool === null || upstream.slots.pool === null
        ? null
        : {
            route: { pool: slots.pool, inFlightMax },
            upstream: { pool: upstream.slots.pool, inFlightMax: upstream.slots.inFlightMax },
          },
  }
}

import { createHash } from 'node:crypto'
import type { Route } from './route.ts'

/**
 * A queue partition: the waiting tasks of one model that the same routes can serve. All tasks of a
 * lane can take the same routes, so the first task never blocks another one that could use a free
 * route.
 */
export interface Lane {
  no: number
  model: string
  /**
   * Ranks of routes: each rank contains the routes of one priority. The lowest priority number
   * comes first.
   */
  ranks: readonly (readonly Route[])[]
  /** Number of the last grant to a task of the lane. 0 before the first grant. */
  lastGrantNo: number
}

export function newLane(no: number, model: string, routes: readonly Route[]): Lane {
  return { no, model, ranks: ranksOf(routes), lastGrantNo: 0 }
}

/**
 * Number of the lane for the tasks of a model that exactly the routes `eligible` can serve. The
 * number is the same in every process and after a restart. If a route of the model is added,
 * removed or given another target, the number changes, and the tasks are assigned to lanes again.
 * If the number stayed the same, tasks could wait in a lane that lacks a new route for them.
 */
export function laneNoOf(model: string, routes: readonly Route[], eligible: readonly Route[]): number {
  return hashToLaneNo([model, identitiesOf(eligible), identitiesOf(withoutRoutes(routes, eligible))])
}

/**
 * Number of the lane for tasks that the routes `eligible` could serve, but that some of them have
 * refused. `remaining` has the eligible routes that have not refused the tasks. The number differs
 * from all numbers of `laneNoOf`. It also changes with the routes, so that the tasks are assigned
 * to other lanes once other routes can serve them.
 */
export function laneNoOfRemaining(
  model: string,
  routes: readonly Route[],
  eligible: readonly Route[],
  remaining: ReadonlySet<Route>,
): number {
  return hashToLaneNo([
    model,
    identitiesOf(eligible.filter((route) => remaining.has(route))),
    identitiesOf(withoutRoutes(routes, eligible)),
    identitiesOf(eligible.filter((route) => !remaining.has(route))),
  ])
}

/**
 * Returns the lane numbers that `laneNoOfRemaining` may return for these routes, each with its
 * remaining routes. Returns at most `remainingLanesMax` lanes.
 */
export function lanesOfRemaining(
  model: string,
  routes: readonly Route[],
  eligible: readonly Route[],
): Map<number, ReadonlySet<Route>> {
  const lanes = new Map<number, ReadonlySet<Route>>()
  let subsets: { remaining: readonly Route[]; nextIndex: number }[] = [{ remaining: eligible, nextIndex: 0 }]
  for (let refusedCount = 1; refusedCount < eligible.length; refusedCount++) {
    subsets = subsets.flatMap(({ remaining, nextIndex }) =>
      eligible
        .slice(nextIndex)
        .map((route, index) => ({ remaining: remaining.filter((other) => other !== route), nextIndex: nextIndex + index + 1 })),
    )
    for (const { remaining } of subsets) {
      if (lanes.size === remainingLanesMax) return lanes
      const remainingRoutes = new Set(remaining)
      lanes.set(laneNoOfRemaining(model, routes, eligible, remainingRoutes), remainingRoutes)
    }
  }
  return lanes
}

/**
 * Maximum number of lanes of refused tasks. It is enough for all such lanes of a model with ten
 * routes.
 */
const remainingLanesMax = 1_024

function withoutRoutes(routes: readonly Route[], eligible: readonly Route[]): Route[] {
  return routes.length === eligible.length ? [] : routes.filter((route) => !eligible.includes(route))
}

function identitiesOf(routes: readonly Route[]): unknown[] {
  return routes.map((route) => [route.slots.pool ?? route.name, route.settings.target])
}

function hashToLaneNo(identity: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest()
  return reservedLanes + digest.readUIntBE(0, 6)
}

/** Lane numbers below this one are reserved. All other lane numbers are hashes. */
const reservedLanes = 16
/** Lane of the simulated tasks of all models. */
export const simulationLaneNo = 1

/** Groups routes by priority. The lowest priority number comes first. */
export function ranksOf(routes: readonly Route[]): (readonly Route[])[] {
  const ranks = Map.groupBy(routes, (route) => route.settings.priority)
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, rank]) => rank)
}

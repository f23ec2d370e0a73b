import { createHash } from 'node:crypto'
import type { Route } from './route.ts'

/**
 * A queue partition: the waiting tasks of one model that the same routes can serve. Within a lane,
 * no task waits for a route that another task of the lane does not need.
 */
export interface Lane {
  no: number
  model: string
  /** By priority, the lowest number first; routes of the same priority form one rank. */
  ranks: readonly (readonly Route[])[]
  /** Number of the last grant to one of its tasks; 0: none yet. */
  lastGrant: number
}

export function newLane(no: number, model: string, routes: readonly Route[]): Lane {
  return { no, model, ranks: ranksOf(routes), lastGrant: 0 }
}

/**
 * Lane number of a model and its routes, the same in every process and after a restart. A route
 * whose target was changed may no longer serve the tasks of a lane: it makes another lane, and the
 * tasks are placed again.
 */
export function laneNoOf(model: string, routes: readonly Route[]): number {
  return numberOf([model, servedBy(routes)])
}

/**
 * Lane number of tasks that some of these routes have refused, by the routes that are left. It
 * differs from the other numbers, so that the tasks are placed again once other routes can serve
 * them.
 */
export function laneNoOfLeft(model: string, routes: readonly Route[], left: ReadonlySet<Route>): number {
  return numberOf([
    model,
    servedBy(routes.filter((route) => left.has(route))),
    servedBy(routes.filter((route) => !left.has(route))),
  ])
}

/**
 * Every lane of tasks that some of these routes have refused, with the routes that are left. With
 * very many routes, only the first lanes.
 */
export function lanesOfLeft(model: string, routes: readonly Route[]): Map<number, ReadonlySet<Route>> {
  const lanes = new Map<number, ReadonlySet<Route>>()
  let lefts: { left: readonly Route[]; next: number }[] = [{ left: routes, next: 0 }]
  for (let refused = 1; refused < routes.length; refused++) {
    lefts = lefts.flatMap(({ left, next }) =>
      routes.slice(next).map((route, index) => ({ left: left.filter((each) => each !== route), next: next + index + 1 })),
    )
    for (const { left } of lefts) {
      if (lanes.size === lanesOfLeftMax) return lanes
      const routesLeft = new Set(left)
      lanes.set(laneNoOfLeft(model, routes, routesLeft), routesLeft)
    }
  }
  return lanes
}

/** All lanes of ten routes. */
const lanesOfLeftMax = 1_024

function servedBy(routes: readonly Route[]): unknown[] {
  return routes.map((route) => [route.slots.pool ?? route.name, route.settings.target])
}

function numberOf(identity: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest()
  return reservedLanes + digest.readUIntBE(0, 6)
}

/** Lane numbers below this one are not hashes. */
const reservedLanes = 16
/** Lane of the simulated tasks of all models. */
export const simulationLaneNo = 1

/** By priority, the lowest number first. */
export function ranksOf(routes: readonly Route[]): (readonly Route[])[] {
  const ranks = Map.groupBy(routes, (route) => route.settings.priority)
  return [...ranks].toSorted(([a], [b]) => a - b).map(([, rank]) => rank)
}

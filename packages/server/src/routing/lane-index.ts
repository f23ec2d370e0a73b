import { laneNoOf, laneNoOfRemaining, lanesOfRemaining, newLane, type Lane } from './lanes.ts'
import type { Route } from './route.ts'

/**
 * The lanes (queue partitions) of the routing in use, and their numbers. Computing a number is
 * slow, so this class caches it.
 */
export class LaneIndex {
  /** Lanes by number. */
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

  get lanes(): ReadonlyMap<number, Lane> {
    return this.#lanes
  }

  /** Discards all lanes, and then adds this one. */
  reset(lane: Lane): void {
    this.#laneNos = new Map()
    this.#fullLaneNos = new Map()
    this.#remainingByEligible = new Map()
    this.#lanes = new Map([[lane.no, lane]])
  }

  /** Returns the number of the lane of tasks that exactly the routes `eligible` can serve. */
  laneNoOf(model: string, routes: readonly Route[], eligible: readonly Route[]): number {
    const areAllEligible = eligible.length === routes.length
    const laneNos = areAllEligible ? this.#fullLaneNos : this.#laneNos
    const key = areAllEligible ? model : keyOfEligible(model, routes, eligible)
    let no = laneNos.get(key)
    if (no === undefined) {
      no = laneNoOf(model, routes, eligible)
      laneNos.set(key, no)
    }
    if (!this.#lanes.has(no)) this.#lanes.set(no, newLane(no, model, eligible))
    return no
  }

  /**
   * Returns the number of the lane of tasks that every eligible route outside `remaining` has
   * refused.
   */
  laneNoOfRemaining(model: string, routes: readonly Route[], eligible: readonly Route[], remaining: ReadonlySet<Route>): number {
    const no = laneNoOfRemaining(model, routes, eligible, remaining)
    const remainingRoutes = eligible.filter((route) => remaining.has(route))
    if (!this.#lanes.has(no)) this.#lanes.set(no, newLane(no, model, remainingRoutes))
    return no
  }

  /**
   * Returns the routes that have not refused the tasks of a lane. Undefined if none of these routes
   * has refused the tasks, or if the lane belongs to other routes.
   */
  remainingOf(
    laneNo: number,
    model: string,
    routes: readonly Route[],
    eligible: readonly Route[],
  ): ReadonlySet<Route> | undefined {
    const key = keyOfEligible(model, routes, eligible)
    let lanes = this.#remainingByEligible.get(key)
    if (lanes === undefined) {
      lanes = lanesOfRemaining(model, routes, eligible)
      this.#remainingByEligible.set(key, lanes)
    }
    return lanes.get(laneNo)
  }
}

function keyOfEligible(model: string, routes: readonly Route[], eligible: readonly Route[]): string {
  return `${eligible.map((route) => routes.indexOf(route)).join()} ${model}`
}

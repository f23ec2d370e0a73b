import type { Driver } from '../drivers/driver.ts'
import type { RouteCost } from './configuration/definitions.ts'
import { Durations } from './durations.ts'

/**
 * The driver connection of a route snapshot, which is one stored version of a route. Attempts on
 * the snapshot use this connection even if the route was changed or removed since.
 */
export class RouteConnection {
  readonly snapshotNo: number
  readonly name: string
  /** Digest of the upstream's driver, base URL and key (`upstreamKey`). */
  readonly upstreamKey: string
  readonly driver: Driver
  /** The operator's cost of a job. Null if the operator has not set it. */
  readonly cost: RouteCost | null
  readonly #durations = new Map<string, Durations>()

  constructor(snapshotNo: number, name: string, upstreamKey: string, driver: Driver, cost: RouteCost | null = null) {
    this.snapshotNo = snapshotNo
    this.name = name
    this.upstreamKey = upstreamKey
    this.driver = driver
    this.cost = cost
  }

  /** Returns the durations of the attempts of this model on the snapshot. */
  durationsOf(model: string): Durations {
    const existing = this.#durations.get(model)
    if (existing !== undefined) return existing
    const durations = new Durations()
    this.#durations.set(model, durations)
    return durations
  }
}

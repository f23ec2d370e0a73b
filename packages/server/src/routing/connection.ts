import type { Driver } from '../drivers/driver.ts'
import { Durations } from './durations.ts'
import type { PollBudget } from './poll-budget.ts'

/** A route as an attempt was opened on it: what is needed to continue the attempt, whatever has become of the route since. */
export class RouteConnection {
  readonly frozenNo: number
  readonly name: string
  /** Address and key of its upstream (`upstreamKey`). */
  readonly upstreamKey: string
  readonly driver: Driver
  /** Null where nothing is asked over a network. */
  readonly polls: PollBudget | null
  readonly #durations = new Map<string, Durations>()

  constructor(frozenNo: number, name: string, upstreamKey: string, driver: Driver, polls: PollBudget | null) {
    this.frozenNo = frozenNo
    this.name = name
    this.upstreamKey = upstreamKey
    this.driver = driver
    this.polls = polls
  }

  /** How long attempts at this model take on it. */
  durations(model: string): Durations {
    const known = this.#durations.get(model)
    if (known !== undefined) return known
    const durations = new Durations()
    this.#durations.set(model, durations)
    return durations
  }
}

import type { Driver } from '../drivers/driver.ts'
import type { ParameterRefusal, UpstreamRequest } from '../drivers/upstream/upstream-driver.ts'
import { BusyTime } from './busy-time.ts'
import { Circuit } from './circuit.ts'
import { Durations } from './durations.ts'
import type { PollBudget } from './poll-budget.ts'

/** What the routes of one upstream share: its credential, its limits, and how it is doing. */
export interface Upstream {
  name: string
  inFlight: number
  inFlightMax: number
  circuit: Circuit
  polls: PollBudget | null
  /** What this process may take of a limit that all processes share. */
  shareOf: ShareOfLimit
}

export type ShareOfLimit = (max: number) => number

export interface RouteSettings {
  name: string
  /** Of the route as it is now (`frozen_routes`); 0 for the embedded one. */
  frozenNo: number
  upstream: Upstream
  driver: Driver
  /** Lower is tried first. */
  priority: number
  weight: number
  inFlightMax: number
  /** How long it may stay busy before a route of lower rank is used. */
  deferMaxMs: number
  /** How long an attempt may take on it; null: as the model has it. */
  deadlineMs: number | null
  /** Costs nothing and rejects while the route is out of order; null where there is no such request. */
  probe: (() => Promise<void>) | null
  refuse(request: UpstreamRequest): ParameterRefusal | null
}

export interface CircuitState {
  circuit: 'closed' | 'open' | 'half_open'
  /** When one piece of work is let through again; null while it is closed. */
  triedAgainAtMs: number | null
}

/** How a route is doing in this process. */
export interface RouteState extends CircuitState {
  inFlight: number
  /** All its places are taken, or it has said that it has no room. */
  isBusy: boolean
  /** Until when it has asked to be left alone; null: it has not. */
  busyUntilMs: number | null
}

export function circuitState(circuit: Circuit, nowMs: number): CircuitState {
  return { circuit: circuit.state(nowMs), triedAgainAtMs: circuit.openUntilMs }
}

/** One way to serve a model, and how it is doing in this process. */
export class Route {
  settings: Readonly<RouteSettings>
  readonly circuit = new Circuit()
  readonly durations = new Durations()
  readonly #busy = new BusyTime()
  #inFlight = 0

  constructor(settings: RouteSettings) {
    this.settings = settings
  }

  get name(): string {
    return this.settings.name
  }

  get driver(): Driver {
    return this.settings.driver
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** How many more attempts it may take now. */
  freePlaces(nowMs: number): number {
    if (this.isOutOfOrder(nowMs) || this.#busy.isPaused(nowMs)) return 0
    const free = Math.max(0, Math.min(this.#inFlightMax - this.#inFlight, this.upstreamPlaces))
    if (!this.isOnTrial(nowMs)) return free
    return this.settings.probe === null ? Math.min(1, free) : 0
  }

  get #inFlightMax(): number {
    const { upstream, inFlightMax } = this.settings
    return upstream.shareOf(inFlightMax)
  }

  /** It was out of order, and whether it still is shall be found out. */
  isOnTrial(nowMs: number): boolean {
    return this.circuit.state(nowMs) === 'half_open' || this.settings.upstream.circuit.state(nowMs) === 'half_open'
  }

  /** Those of its upstream that are free. */
  get upstreamPlaces(): number {
    const { shareOf, inFlightMax, inFlight } = this.settings.upstream
    return shareOf(inFlightMax) - inFlight
  }

  isOutOfOrder(nowMs: number): boolean {
    return this.circuit.state(nowMs) === 'open' || this.settings.upstream.circuit.state(nowMs) === 'open'
  }

  /** A route of lower rank may be used instead. */
  givesWay(nowMs: number): boolean {
    return this.isOutOfOrder(nowMs) || this.#busy.lastsMs(nowMs) >= this.settings.deferMaxMs
  }

  state(nowMs: number): RouteState {
    const isPaused = this.#busy.isPaused(nowMs)
    return {
      inFlight: this.#inFlight,
      ...circuitState(this.circuit, nowMs),
      isBusy: isPaused || this.#busy.lastsMs(nowMs) > 0,
      busyUntilMs: isPaused ? this.#busy.untilMs : null,
    }
  }

  enter(nowMs: number): void {
    const { upstream } = this.settings
    this.#inFlight += 1
    upstream.inFlight += 1
    this.circuit.beginTry()
    upstream.circuit.beginTry()
    if (this.#inFlight >= this.#inFlightMax || this.upstreamPlaces <= 0) this.#busy.fill(nowMs)
  }

  leave(nowMs: number): void {
    this.#inFlight -= 1
    this.settings.upstream.inFlight -= 1
    this.circuit.endTry()
    this.settings.upstream.circuit.endTry()
    if (!this.#busy.isPaused(nowMs)) this.#busy.accept()
  }

  /** It has taken an attempt on. */
  accepted(): void {
    this.#busy.accept()
    this.answered()
  }

  /** What costs nothing was answered as it should be: it is in order again. */
  answered(): void {
    this.circuit.succeed()
    this.settings.upstream.circuit.succeed()
  }

  busy(nowMs: number, retryAfterMs: number | null): void {
    this.#busy.refuse(nowMs, retryAfterMs)
  }

  faulty(nowMs: number, scope: 'route' | 'upstream'): void {
    this.circuit.fail(nowMs)
    if (scope === 'upstream') this.settings.upstream.circuit.fail(nowMs)
  }
}

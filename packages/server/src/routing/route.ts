import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { CircuitState, Slots } from './slots.ts'

/** An upstream, with the state that all its routes share. */
export interface Upstream {
  name: string
  /** Digest of driver, base URL and key (`upstreamKey`). */
  key: string
  slots: Slots
}

export interface RouteSettings {
  name: string
  /** Number of the current snapshot of the route (`route_snapshots`). 0 for the embedded route. */
  snapshotNo: number
  upstream: Upstream
  /**
   * The target at the upstream. Null for the embedded route. The target and the driver decide which
   * parameters the route can serve.
   */
  target: Omit<UpstreamTarget, 'baseUrl'> | null
  /** Routes with a lower number are tried first. */
  priority: number
  weight: number
  /**
   * Time for which the route may be busy before a route with a higher priority number is used, in
   * milliseconds.
   */
  deferMaxMs: number
  /** Maximum duration of an attempt on the route. Null if the deadline of the model applies. */
  deadlineMs: number | null
  /**
   * Sends a request that is free of charge. Rejects if the upstream does not work. Null if the
   * driver has no such request.
   */
  probe: (() => Promise<void>) | null
  refuse(request: UpstreamRequest): ParameterRefusal | null
  /** Whether the driver forwards requests for the route's model, if that is a token model. */
  forwards: boolean
}

export interface RouteState extends CircuitState {
  inFlight: number
  /** Whether the route has no free slot now, for example because it is paused. */
  isBusy: boolean
  /** End of the pause of the route or of its upstream. Null if neither is paused. */
  busyUntilMs: number | null
}

/**
 * One way to serve a model. The object stays the same when the upstream of the route is renamed or
 * given another key.
 */
export class Route {
  settings: Readonly<RouteSettings>
  readonly slots: Slots
  /**
   * Credit in smooth weighted round robin. Each choice among routes of a rank adds each candidate's
   * weight to its credit. The sum of these weights is subtracted from the credit of the chosen
   * route.
   */
  credit = 0
  /** Identifies the routes and weights for which the credit is valid. */
  rankKey = ''
  #busySinceMs: number | null = null

  constructor(slots: Slots, settings: RouteSettings) {
    this.slots = slots
    this.settings = settings
  }

  get name(): string {
    return this.settings.name
  }

  freeSlots(nowMs: number): number {
    const { upstream, probe } = this.settings
    // While an upstream is down, its free probe must reach it before a task is tried on it.
    if (probe !== null && upstream.slots.isDown && !upstream.slots.isTrialAllowed) return 0
    return Math.min(this.slots.freeSlots(nowMs), upstream.slots.freeSlots(nowMs))
  }

  get isDown(): boolean {
    return this.slots.isDown || this.settings.upstream.slots.isDown
  }

  isOutOfOrder(nowMs: number): boolean {
    return this.slots.isOutOfOrder(nowMs) || this.settings.upstream.slots.isOutOfOrder(nowMs)
  }

  /**
   * Records the free slots that a batch of claims has left. The route counts as busy from the first
   * batch that left it without a free slot. If the clock was set back since, the time starts again.
   */
  recordFreeSlots(freeSlots: number, nowMs: number): void {
    if (freeSlots > 0) this.#busySinceMs = null
    else this.#busySinceMs = Math.min(this.#busySinceMs ?? nowMs, nowMs)
  }

  /** Whether tasks may take a route with a higher priority number instead. */
  shouldFailOver(nowMs: number): boolean {
    return this.isDown || (this.#busySinceMs !== null && nowMs - this.#busySinceMs >= this.settings.deferMaxMs)
  }

  get inFlight(): number {
    return this.slots.state.inFlight
  }

  /**
   * End of the pause of the route or of its upstream, whichever is later. Null if neither is
   * paused.
   */
  pausedUntilMs(nowMs: number): number | null {
    const pausedSlots = [this.slots, this.settings.upstream.slots].filter((slots) => slots.isPaused(nowMs))
    return pausedSlots.length === 0 ? null : Math.max(...pausedSlots.map(({ state }) => state.pausedUntilMs))
  }

  /**
   * The circuit of the upstream if submits to it fail. Otherwise the circuit of the route itself.
   */
  #circuitAt(nowMs: number): CircuitState {
    const upstreamCircuit = this.settings.upstream.slots.circuitAt(nowMs)
    return upstreamCircuit.failingSinceMs === null ? this.slots.circuitAt(nowMs) : upstreamCircuit
  }

  stateAt(nowMs: number): RouteState {
    return {
      inFlight: this.inFlight,
      ...this.#circuitAt(nowMs),
      isBusy: this.freeSlots(nowMs) === 0,
      busyUntilMs: this.pausedUntilMs(nowMs),
    }
  }
}

import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { CircuitState, Slots } from './slots.ts'

/** State that the routes of one upstream share. */
export interface Upstream {
  name: string
  /** Digest of address and key (`upstreamKey`). */
  key: string
  slots: Slots
}

export interface RouteSettings {
  name: string
  /** Number of the current snapshot of the route (`route_snapshots`); 0 for the embedded route. */
  snapshotNo: number
  upstream: Upstream
  /**
   * The target at the upstream; null for the embedded route. With the driver it decides which
   * parameters the route can serve.
   */
  target: Omit<UpstreamTarget, 'baseUrl'> | null
  /** A lower number is tried first. */
  priority: number
  weight: number
  /**
   * How long the route may be busy before a route of a higher priority number is used,
   * milliseconds.
   */
  deferMaxMs: number
  /** Longest duration of an attempt on it; null: the deadline of the model. */
  deadlineMs: number | null
  /** A free request that rejects while the upstream does not work; null if the driver has none. */
  probe: (() => Promise<void>) | null
  refuse(request: UpstreamRequest): ParameterRefusal | null
  /** Whether it serves one token model, whose requests its driver forwards. */
  forwards: boolean
}

/** The state of a route. */
export interface RouteState extends CircuitState {
  inFlight: number
  /** Whether it has no free slot or is paused. */
  isBusy: boolean
  /** End of its pause; null: it is not paused. */
  busyUntilMs: number | null
}

/**
 * One way to serve a model. The object stays the same when its upstream is renamed or given another
 * key.
 */
export class Route {
  settings: Readonly<RouteSettings>
  readonly slots: Slots
  /**
   * Credit in smooth weighted round robin. Each choice among routes of the same rank adds this
   * route's weight. If this route is chosen, the sum of all their weights is subtracted.
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

  free(nowMs: number): number {
    const { upstream, probe } = this.settings
    // While an upstream is down, its free probe must succeed before a task is tried.
    if (probe !== null && upstream.slots.isDown && !upstream.slots.awaitsTrial) return 0
    return Math.min(this.slots.free(nowMs), upstream.slots.free(nowMs))
  }

  get isDown(): boolean {
    return this.slots.isDown || this.settings.upstream.slots.isDown
  }

  isOutOfOrder(nowMs: number): boolean {
    return this.slots.isOutOfOrder(nowMs) || this.settings.upstream.slots.isOutOfOrder(nowMs)
  }

  /**
   * Called after each batch of claims: the route counts as busy from the first batch that left it
   * without a free slot.
   */
  noteFree(free: number, nowMs: number): void {
    if (free > 0) this.#busySinceMs = null
    else this.#busySinceMs ??= nowMs
  }

  /** Whether tasks may take a route of a higher priority number instead. */
  shouldFailOver(nowMs: number): boolean {
    return this.isDown || (this.#busySinceMs !== null && nowMs - this.#busySinceMs >= this.settings.deferMaxMs)
  }

  get inFlight(): number {
    return this.slots.state.inFlight
  }

  /** End of the later of its pauses; null: neither the route nor its upstream is paused. */
  pausedUntilMs(nowMs: number): number | null {
    const paused = [this.slots, this.settings.upstream.slots].filter((slots) => slots.isPaused(nowMs))
    return paused.length === 0 ? null : Math.max(...paused.map(({ state }) => state.pausedUntilMs))
  }

  /** The circuit of its upstream if that is not closed, otherwise its own. */
  #circuit(nowMs: number): CircuitState {
    const ofUpstream = this.settings.upstream.slots.circuit(nowMs)
    return ofUpstream.circuit === 'closed' ? this.slots.circuit(nowMs) : ofUpstream
  }

  state(nowMs: number): RouteState {
    return {
      inFlight: this.inFlight,
      ...this.#circuit(nowMs),
      isBusy: this.free(nowMs) === 0,
      busyUntilMs: this.pausedUntilMs(nowMs),
    }
  }
}

import type { ParameterRefusal, UpstreamRequest, UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { CircuitState, Slots } from './slots.ts'

/** What the routes of one upstream share. */
export interface Upstream {
  name: string
  /** Address and key (`upstreamKey`). */
  key: string
  slots: Slots
}

export interface RouteSettings {
  name: string
  /** Of the route as it is now (`frozen_routes`); 0 for the embedded one. */
  frozenNo: number
  upstream: Upstream
  /** What is asked for there; null for the embedded one. With the driver it decides which parameters the route can serve. */
  target: Omit<UpstreamTarget, 'baseUrl'> | null
  /** Lower is tried first. */
  priority: number
  weight: number
  /** How long it may be busy before a route of a higher priority number is used, milliseconds. */
  deferMaxMs: number
  /** How long an attempt may take on it; null: as the model has it. */
  deadlineMs: number | null
  /** Costs nothing and rejects while the upstream does not work; null where there is no such request. */
  probe: (() => Promise<void>) | null
  refuse(request: UpstreamRequest): ParameterRefusal | null
}

/** How a route is doing. */
export interface RouteState extends CircuitState {
  inFlight: number
  /** It has no free slot, or is paused. */
  isBusy: boolean
  /** When its pause ends; null: it is not paused. */
  busyUntilMs: number | null
}

/** One way to serve a model. It stays the same when its upstream is renamed or given another key. */
export class Route {
  settings: Readonly<RouteSettings>
  readonly slots: Slots
  /** Of smooth weighted round robin: raised by its weight at each choice among its equals, lowered by all their weights when it is chosen. */
  credit = 0
  /** Of the routes and weights by which its credit was earned. */
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
    // What can be probed for nothing is not tried with a task.
    if (probe !== null && upstream.slots.isDown && !upstream.slots.awaitsTrial) return 0
    return Math.min(this.slots.free(nowMs), upstream.slots.free(nowMs))
  }

  get isDown(): boolean {
    return this.slots.isDown || this.settings.upstream.slots.isDown
  }

  isOutOfOrder(nowMs: number): boolean {
    return this.slots.isOutOfOrder(nowMs) || this.settings.upstream.slots.isOutOfOrder(nowMs)
  }

  /** Called after each round of claims: it counts as busy from the first one that left it without a free slot. */
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

  /** When the later one of its pauses ends; null: neither it nor its upstream is paused. */
  pausedUntilMs(nowMs: number): number | null {
    const paused = [this.slots, this.settings.upstream.slots].filter((slots) => slots.isPaused(nowMs))
    return paused.length === 0 ? null : Math.max(...paused.map(({ state }) => state.pausedUntilMs))
  }

  /** Its own, or that of its upstream while that is not closed. */
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

import { isPausedUntil, applyPause } from '../db/pool-pause.ts'
import type { PoolState } from '../db/task-queue.ts'
import type { Pause } from './pause.ts'
import { truncate } from '../lib/truncate.ts'

export interface CircuitState {
  circuit: 'closed' | 'open' | 'half_open'
  /** Time from which one attempt or probe is allowed. Null while the circuit is closed. */
  nextTrialAtMs: number | null
  /** Time at which this process first observed that submits fail. Null while they do not fail. */
  failingSinceMs: number | null
  /** Error of the last submit or probe of this process while submits fail. */
  lastError: string | null
}

/**
 * Default maximum number of unconfirmed attempts. An attempt is unconfirmed until its upstream
 * accepts the submit. The number equals the maximum number of submits in flight with one key at one
 * provider (`call-upstream.ts`): further submits would only wait for an earlier one to end.
 */
const defaultUnconfirmedMax = 256
const errorLengthMax = 500

/**
 * Slots of an upstream or of a route. A slot is the capacity for one attempt or one forwarded
 * request. With a pool, all processes share the slots, and this object has the state of the pool at
 * the last read. Without a pool, this process counts the slots itself with `acquire` and `release`.
 */
export class Slots {
  readonly pool: number | null
  inFlightMax: number
  /** End of the pause after which `allowTrial` allowed a trial. */
  #trialAfterPauseMs: number | null = null
  #failingSinceMs: number | null = null
  #lastError: string | null = null
  #accountFailure: { sinceMs: number; error: string } | null = null
  #state: Omit<PoolState, 'no'> = {
    inFlight: 0,
    unconfirmed: 0,
    pausedUntilMs: 0,
    unconfirmedMax: null,
    refusals: 0,
    condition: 'open',
  }

  constructor(pool: number | null, inFlightMax: number) {
    this.pool = pool
    this.inFlightMax = inFlightMax
  }

  get state(): Readonly<Omit<PoolState, 'no'>> {
    return this.#state
  }

  observe(state: PoolState, nowMs: number): void {
    this.#state = state
    this.#recordFailure(nowMs)
  }

  /** Applies the pause to the known state until the pool is read again. */
  setPause(pause: Pause, nowMs: number, error: string): void {
    this.#state = { ...this.#state, ...applyPause(this.#state, pause, nowMs) }
    this.#lastError = truncate(error, errorLengthMax)
    this.#recordFailure(nowMs)
  }

  /**
   * Records an error that pauses the route for one account only, so that operators see the error.
   */
  recordAccountFailure(nowMs: number, error: string): void {
    this.#accountFailure = { sinceMs: this.#accountFailure?.sinceMs ?? nowMs, error: truncate(error, errorLengthMax) }
  }

  /** Called after a success of the route. */
  clearAccountFailure(): void {
    this.#accountFailure = null
  }

  /** Number of further attempts that may be claimed now. */
  freeSlots(nowMs: number): number {
    if (this.isPaused(nowMs)) return 0
    return Math.max(0, Math.min(this.inFlightMax - this.#state.inFlight, this.#unconfirmedLeft))
  }

  /** Whether further attempts have to wait until an unconfirmed attempt is accepted or ends. */
  get isFullOfUnconfirmed(): boolean {
    return this.#unconfirmedLeft <= 0
  }

  get #unconfirmedLeft(): number {
    const { unconfirmed, unconfirmedMax } = this.#state
    return (unconfirmedMax ?? defaultUnconfirmedMax) - unconfirmed
  }

  isPaused(nowMs: number): boolean {
    return isPausedUntil(this.#state.pausedUntilMs, nowMs)
  }

  get isFull(): boolean {
    return this.#state.inFlight >= this.inFlightMax
  }

  /**
   * Whether recent submits failed. Tasks then use routes with a higher priority number without
   * waiting.
   */
  get isDown(): boolean {
    const { condition } = this.#state
    return condition === 'unavailable' || condition === 'out_of_order'
  }

  /**
   * Allows a trial with a task, because a free probe could not show whether the upstream works. The
   * permission is valid until the next pause.
   */
  allowTrial(): void {
    this.#trialAfterPauseMs = this.#state.pausedUntilMs
  }

  get isTrialAllowed(): boolean {
    return this.isDown && this.#trialAfterPauseMs === this.#state.pausedUntilMs
  }

  /** Whether the condition is `out_of_order` and no trial may begin now. */
  isOutOfOrder(nowMs: number): boolean {
    const { condition, unconfirmed } = this.#state
    return condition === 'out_of_order' && (this.isPaused(nowMs) || unconfirmed > 0)
  }

  /** Whether an accepted submit would change the state of these slots. */
  get isRestricted(): boolean {
    const { unconfirmedMax, refusals, condition } = this.#state
    return unconfirmedMax !== null || refusals > 0 || condition !== 'open'
  }

  circuitAt(nowMs: number): CircuitState {
    const failure = {
      failingSinceMs: this.#failingSinceMs ?? this.#accountFailure?.sinceMs ?? null,
      lastError: this.#lastError ?? this.#accountFailure?.error ?? null,
    }
    if (this.#state.condition !== 'out_of_order') return { circuit: 'closed', nextTrialAtMs: null, ...failure }
    return { circuit: this.isOutOfOrder(nowMs) ? 'open' : 'half_open', nextTrialAtMs: this.#state.pausedUntilMs, ...failure }
  }

  acquire(): void {
    this.#state = { ...this.#state, inFlight: this.#state.inFlight + 1 }
  }

  release(): void {
    this.#state = { ...this.#state, inFlight: this.#state.inFlight - 1 }
  }

  #recordFailure(nowMs: number): void {
    if (this.isDown) {
      this.#failingSinceMs ??= nowMs
    } else {
      this.#failingSinceMs = null
      this.#lastError = null
    }
  }
}

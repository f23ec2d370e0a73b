import { isPausedUntil } from '../db/pool-pause.ts'
import type { Store } from '../db/store.ts'
import type { PoolChange, PoolState } from '../db/task-queue.ts'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { messageOf } from '../lib/message-of.ts'
import { pauseAfter, clampRetryAfter, type Refusal } from './pause.ts'
import { Slots } from './slots.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

/** Maximum time between two reads of the pools. Other processes pause pools too. */
const readIntervalMs = 1_000

export interface PoolWatchDependencies {
  store: Pick<Store, 'changePool' | 'readPools'>
  clock: Clock
  logger: Logger
  /** Returns the upstream or route that a pool belongs to. Used in log lines only. */
  namesOf: (pool: number) => { upstream?: string; route?: string }
  /** Called after a read of the pools that was not part of a claim. */
  onRead: () => void
}

/**
 * Sends a request that is free of charge. Rejects if the upstream does not work. Otherwise,
 * resolves to one of these outcomes:
 *
 *   works      base URL and key are valid
 *   reached    the upstream has responded, which proves nothing about the key
 *   outdated   the upstream's base URL or key has changed since the request was sent
 */
export type PoolProbe = () => Promise<'works' | 'reached' | 'outdated'>

/**
 * This process's view of the slot pools, and the changes that this process makes to them. A slot
 * pool is the capacity of one route or upstream, which all processes share. If a change cannot be
 * written, the error is only logged, because the next submit with the same outcome causes the
 * change again.
 */
export class PoolWatch implements Disposable {
  readonly #dependencies: PoolWatchDependencies
  readonly #slots = new Map<number, Slots>()
  readonly #probedSlots = new Set<Slots>()
  /** Earliest time of the next probe of an upstream that has sent a `Retry-After`, by its slots. */
  readonly #nextProbeAtMs = new Map<Slots, number>()
  /** End of the last pause that this process has set because of a failure, by pool. */
  readonly #localPauseEndsMs = new Map<number, number>()
  /**
   * Number of pauses that are being written, by pool. Meanwhile, a read may return the state of the
   * pool from before the pause.
   */
  readonly #pausesInProgress = new Map<number, number>()
  readonly #timer: Disposable
  #observedAtMs = 0

  constructor(dependencies: PoolWatchDependencies) {
    this.#dependencies = dependencies
    this.#timer = repeatAligned(() => {
      // The absolute difference also causes a read after the clock was set back.
      if (Math.abs(dependencies.clock() - this.#observedAtMs) >= readIntervalMs) void this.read()
    }, readIntervalMs)
  }

  slotsOf(pool: number): Slots {
    const existing = this.#slots.get(pool)
    if (existing !== undefined) return existing
    const slots = new Slots(pool, Infinity)
    this.#slots.set(pool, slots)
    return slots
  }

  /**
   * Replaces the known state of all pools, except those whose pause is being written, with the
   * state that was read from the store.
   */
  observe(pools: readonly PoolState[]): void {
    const { clock, logger, namesOf } = this.#dependencies
    this.#observedAtMs = clock()
    for (const pool of pools) {
      if (this.#pausesInProgress.has(pool.no)) continue
      const slots = this.slotsOf(pool.no)
      const wasOpen = slots.state.condition === 'open'
      slots.observe(pool, this.#observedAtMs)
      if (!wasOpen && pool.condition === 'open') logger.info(namesOf(pool.no), 'submits are accepted again')
    }
  }

  async read(): Promise<void> {
    const { store, logger, onRead } = this.#dependencies
    try {
      this.observe(await store.readPools())
      onRead()
    } catch (error) {
      logger.warn({ err: error }, 'the slot pools could not be read')
    }
  }

  async pause(pool: number, refusal: Refusal, reason: string): Promise<void> {
    const { clock, logger, namesOf } = this.#dependencies
    const slots = this.slotsOf(pool)
    const wasOpen = slots.state.condition === 'open'
    const nowMs = clock()
    const pause = pauseAfter(refusal, slots.state, nowMs, Math.random())
    slots.setPause(pause, nowMs, reason)
    // A throttling provider throttles every key, so a new key must not end this pause.
    if (pause.condition === 'throttled') this.#localPauseEndsMs.delete(pool)
    else this.#localPauseEndsMs.set(pool, pause.untilMs)
    if (wasOpen) logger.warn({ ...namesOf(pool), condition: pause.condition, reason }, 'submits are paused')
    this.#pausesInProgress.set(pool, (this.#pausesInProgress.get(pool) ?? 0) + 1)
    await this.#changePool(pool, pause)
    const pausesLeft = (this.#pausesInProgress.get(pool) ?? 1) - 1
    if (pausesLeft > 0) this.#pausesInProgress.set(pool, pausesLeft)
    else this.#pausesInProgress.delete(pool)
  }

  /**
   * Records that the pool's upstream has accepted a submit, if this ends restrictions of the pool
   * or if tasks may be waiting for its slots. The change also notifies the dispatcher.
   */
  async confirm(pool: number): Promise<void> {
    const { isRestricted, isFullOfUnconfirmed } = this.slotsOf(pool)
    if (isRestricted || isFullOfUnconfirmed) await this.#changePool(pool, { kind: 'confirm' })
  }

  /**
   * Reopens the pool if a failure in this process has paused it. Called when this process has a new
   * key or base URL. A pause that another process has set remains, because the new key or base URL
   * may have caused it.
   */
  async endLocalPause(slots: Slots): Promise<void> {
    if (slots.pool !== null && this.#localPauseEndsMs.get(slots.pool) === slots.state.pausedUntilMs) await this.reopen(slots)
  }

  /** Ends the pause and all other restrictions of the pool. */
  async reopen({ pool, isRestricted }: Slots): Promise<void> {
    if (pool === null || !isRestricted) return
    await this.#changePool(pool, { kind: 'reopen' })
    await this.read()
  }

  /**
   * Sends the probe. If the probe fails, pauses the pool as out of order, unless the upstream has
   * only throttled the probe. A successful probe does not change the pool.
   */
  confirmOutOfOrder(slots: Slots, probe: PoolProbe): void {
    this.#probe(slots, probe, {})
  }

  /**
   * Sends the free probe of an upstream that is down, if its driver has one. A task is tried on the
   * upstream only after the probe has received a response.
   */
  probeIfDue(slots: Slots, probeOf: () => PoolProbe | null): void {
    if (!slots.isDown || slots.isTrialAllowed || slots.isPaused(this.#dependencies.clock())) return
    const probe = probeOf()
    if (probe === null) return
    this.#probe(slots, probe, { works: () => this.reopen(slots), reached: () => slots.allowTrial() })
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]()
  }

  /** Runs at most one probe at a time for each pool. */
  #probe(slots: Slots, probe: PoolProbe, callbacks: { works?: () => Promise<void>; reached?: () => void }): void {
    const { pool } = slots
    if (pool === null || this.#probedSlots.has(slots)) return
    if (isPausedUntil(this.#nextProbeAtMs.get(slots) ?? 0, this.#dependencies.clock())) return
    this.#probedSlots.add(slots)
    void probe()
      .then((outcome) => (outcome === 'outdated' ? undefined : callbacks[outcome]?.()))
      .catch((error: unknown) => this.#probeFailed(pool, slots, error))
      .finally(() => this.#probedSlots.delete(slots))
  }

  async #probeFailed(pool: number, slots: Slots, error: unknown): Promise<void> {
    if (!(error instanceof UpstreamThrottled)) return this.pause(pool, { condition: 'out_of_order' }, messageOf(error))
    const { retryAfterMs } = error
    // A throttled probe gives no information about the key.
    if (slots.isDown) return this.pause(pool, { condition: 'throttled', retryAfterMs }, messageOf(error))
    if (retryAfterMs !== null) this.#nextProbeAtMs.set(slots, this.#dependencies.clock() + clampRetryAfter(retryAfterMs))
  }

  async #changePool(pool: number, change: PoolChange): Promise<void> {
    const { store, logger, namesOf } = this.#dependencies
    try {
      await store.changePool(pool, change)
    } catch (error) {
      logger.warn({ err: error, ...namesOf(pool), change: change.kind }, 'a slot pool could not be updated')
    }
  }
}

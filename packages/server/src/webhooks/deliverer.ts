import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'
import type { OpenGuardedChannel } from '../lib/guarded-fetch/guarded-channel.ts'
import { claimEndpoints, type LeasedEndpoint } from './delivery-queue.ts'
import { EndpointRun, type EndpointRunDependencies } from './endpoint-run.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'
import { resetFutureTimes } from './reset-future-times.ts'

export interface DelivererDependencies extends Pick<EndpointRunDependencies, 'data' | 'secrets' | 'clock' | 'expiryClock'> {
  store: Pick<Store, 'database' | 'writeAtomically' | 'isShared' | 'onEventsDistributed'>
  openChannel: OpenGuardedChannel
  /** Called after the service has disabled an endpoint of this account. */
  onDisabled: (accountNo: number) => Promise<void>
  logger: Pick<Logger, 'error' | 'warn'>
  limits?: Partial<DelivererLimits>
}

export interface DelivererLimits {
  /** Duration of a lease. It must exceed the duration of any request. */
  leaseMs: number
  timeoutMs: number
  /**
   * Interval at which the queue is polled. If this process itself adds a delivery to the queue, it
   * does not wait for the interval.
   */
  pollIntervalMs: number
  /**
   * Interval at which `resetFutureTimes` corrects times that were stored before the clock was set
   * back.
   */
  resetIntervalMs: number
  /** Maximum number of working endpoints that are served at the same time. */
  endpointsMax: number
  /** Maximum number of failing endpoints that are served at the same time. */
  failingMax: number
  /** Maximum time for which a shutdown waits for requests in flight. */
  drainMs: number
}

const defaultLimits: DelivererLimits = {
  leaseMs: 60_000,
  timeoutMs: 15_000,
  pollIntervalMs: 1_000,
  resetIntervalMs: 60_000,
  endpointsMax: 300,
  failingMax: 100,
  drainMs: 3_000,
}

/** The clock counts as set back if it falls behind `performance.now()` by more than this. */
const setBackMsMin = 60_000

/**
 * Delivers events to webhooks, in a process that runs tasks. Failing endpoints are claimed
 * separately and have a limit of their own, so that they do not delay others.
 */
export class Deliverer implements AsyncDisposable {
  readonly #dependencies: DelivererDependencies
  readonly #limits: DelivererLimits
  readonly #runs = new Map<number, { accountNo: number; isFailing: boolean; ended: Promise<void> }>()
  readonly #stopController = new AbortController()
  readonly #abortController = new AbortController()
  #stopListening = (): void => {}
  #timer: Disposable | undefined
  #resetTimer: Disposable | undefined
  #resetting: Promise<void> | null = null
  /** The last successful reset: the time of the clock, and `performance.now()`. */
  #lastReset: { nowMs: number; atMs: number }
  #isStarted = false
  #polling: Promise<void> | null = null
  #mustPollAgain = false

  constructor(dependencies: DelivererDependencies) {
    this.#dependencies = dependencies
    this.#limits = { ...defaultLimits, ...dependencies.limits }
    this.#lastReset = { nowMs: dependencies.clock(), atMs: performance.now() }
  }

  /**
   * Starts delivering. Must not be called before the origin of the service is known, because result
   * links contain it.
   */
  start(): void {
    this.#isStarted = true
    this.#stopListening = this.#dependencies.store.onEventsDistributed(({ hasDeliveries }) => {
      if (hasDeliveries) this.wake()
    })
    this.#timer = repeatAligned(() => this.wake(), this.#limits.pollIntervalMs)
    this.#resetTimer = repeatAligned(() => {
      this.#resetting ??= this.#resetFutureTimes().finally(() => {
        this.#resetting = null
      })
    }, this.#limits.resetIntervalMs)
    this.wake()
  }

  /** Polls the queue now. */
  wake(): void {
    if (!this.#isStarted) return
    this.#mustPollAgain = true
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]()
    this.#resetTimer?.[Symbol.dispose]()
    this.#stopListening()
    this.#stopController.abort()
    await Promise.all([this.#polling, this.#resetting])
    const allEnded = Promise.all([...this.#runs.values()].map((run) => run.ended))
    await Promise.race([allEnded, sleep(this.#limits.drainMs, undefined, { ref: false })])
    this.#abortController.abort()
    await allEnded
  }

  async #poll(): Promise<void> {
    while (this.#mustPollAgain && !this.#stopController.signal.aborted) {
      this.#mustPollAgain = false
      try {
        const { endpointsMax, failingMax } = this.#limits
        const failingCount = [...this.#runs.values()].filter((run) => run.isFailing).length
        const freeRunCount = endpointsMax - (this.#runs.size - failingCount)
        if (freeRunCount > 0) this.#begin(await this.#claim(false, freeRunCount))
        if (failingMax > failingCount) this.#begin(await this.#claim(true, failingMax - failingCount))
      } catch (error) {
        if (!this.#stopController.signal.aborted)
          this.#dependencies.logger.error(
            { err: error },
            'the queue of webhook deliveries could not be read; this will be retried',
          )
      }
    }
  }

  async #resetFutureTimes(): Promise<void> {
    const { store, clock, logger } = this.#dependencies
    const { signal } = this.#stopController
    const [nowMs, atMs] = [clock(), performance.now()]
    const { leaseMs } = this.#limits
    const isSetBack = nowMs - this.#lastReset.nowMs < atMs - this.#lastReset.atMs - setBackMsMin
    try {
      await resetFutureTimes(store, { nowMs, leaseMs, isSetBack, signal })
      this.#lastReset = { nowMs, atMs }
    } catch (error) {
      if (!signal.aborted)
        logger.error({ err: error }, 'due times of webhook deliveries could not be checked; this will be retried')
    }
  }

  #claim(isFailing: boolean, limit: number): Promise<LeasedEndpoint[]> {
    const { store, clock } = this.#dependencies
    const runsByAccount = new Map<number, number>()
    for (const { accountNo, ...run } of this.#runs.values()) {
      if (run.isFailing === isFailing) runsByAccount.set(accountNo, (runsByAccount.get(accountNo) ?? 0) + 1)
    }
    return claimEndpoints(store, { nowMs: clock(), leaseMs: this.#limits.leaseMs, isFailing, limit, runsByAccount })
  }

  #begin(endpoints: readonly LeasedEndpoint[]): void {
    for (const endpoint of endpoints) {
      const runEnded = this.#serve(endpoint).finally(() => {
        if (this.#runs.get(endpoint.no) === run) this.#runs.delete(endpoint.no)
        // The endpoint may have become due again while it was leased.
        this.wake()
      })
      const run = { accountNo: endpoint.account_no, isFailing: endpoint.is_failing === 1, ended: runEnded }
      this.#runs.set(endpoint.no, run)
    }
  }

  async #serve(endpoint: LeasedEndpoint): Promise<void> {
    const { store, openChannel, data, secrets, clock, expiryClock, onDisabled, logger } = this.#dependencies
    const { leaseMs, timeoutMs } = this.#limits
    await using channel = openChannel()
    const dependencies = { store, channel, data, secrets, leaseMs, timeoutMs, clock, expiryClock, random: Math.random }
    try {
      const run = new EndpointRun(
        { ...dependencies, stopSignal: this.#stopController.signal, signal: this.#abortController.signal },
        endpoint,
      )
      const { isDisabled } = await run.run()
      if (isDisabled) await onDisabled(endpoint.account_no)
    } catch (error) {
      logger.error({ err: error, webhook: endpoint.id }, 'events could not be delivered; this will be retried')
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import type { GuardedChannel } from '../lib/guarded-fetch/guarded-channel.ts'
import {
  readDue,
  readLeased,
  writeResults,
  type DeliveryResult,
  type DueDelivery,
  type EndpointChange,
  type EndpointState,
  type LeasedEndpoint,
  type QueueStore,
} from './delivery-queue.ts'
import type { EventData } from '../events/event-data.ts'
import { eventBody } from './event-body.ts'
import { disabledAfterMs, pauseMs, retryAfterMs, retryDelayMs } from './retry-schedule.ts'
import { sendDelivery, type SendOutcome } from './send-delivery.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

export interface EndpointRunDependencies {
  store: QueueStore
  channel: GuardedChannel
  data: EventData
  /** Returns the signing secrets of an endpoint, newest first. */
  secrets: (endpoint: EndpointState) => Promise<string[]>
  leaseMs: number
  timeoutMs: number
  clock: Clock
  /**
   * Measures how long an endpoint has been failing. Jumps of the system clock do not affect this
   * clock.
   */
  expiryClock: Clock
  random: () => number
  /** No further requests are sent after this signal aborts. */
  stopSignal: AbortSignal
  /** Cancels the requests in flight, which then have no result. */
  signal: AbortSignal
}

/** Maximum number of concurrent requests to one endpoint. */
const concurrencyMax = 16
/** Maximum duration of a request that counts as quick. */
const quickResponseMsMax = 2_000
const deliveriesReadMax = 200
const resultsPerWriteMax = 100
/** Time after which a run sends no further requests, so that other endpoints are served. */
const runMsMax = 10_000
/** Time to wait for further results before a write, so that one commit writes several of them. */
const batchDelayMs = 5
/** Pause of an endpoint after an internal error, such as a database that does not respond. */
const errorPauseMs = 5_000
/** Maximum age of the endpoint's URL, secrets and other state when a request is sent. */
const stateAgeMsMax = 1_000

/** The endpoint's state, and the value of `#resetCount` when the run read it. */
type RunState = EndpointState & { resetCount: number }

/** A delivery that was sent, or that ended without a request. */
interface FinishedDelivery {
  delivery: DueDelivery
  /** Null: no request was sent. */
  outcome: SendOutcome | null
  round: number
  /** The `resetCount` of the state with which the request was sent. */
  resetCount: number
}

/**
 * Outcome of a run: the numbers of sent and failed requests, and whether the endpoint was disabled.
 */
export interface RunSummary {
  attempts: number
  failures: number
  isDisabled: boolean
}

/**
 * Sends the due deliveries of a leased endpoint, then releases the lease. The maximum number of
 * concurrent requests starts at one. A quick success doubles it, a slow success halves it, and a
 * failure resets it to one.
 */
export class EndpointRun {
  readonly #dependencies: EndpointRunDependencies
  readonly #endpoint: LeasedEndpoint
  readonly #inFlight = new Map<number, Promise<void>>()
  /** Finished deliveries that are not written yet. */
  readonly #finishedDeliveries: FinishedDelivery[] = []
  /** End of the lease, as a time of `performance.now()`. */
  #leaseUntilMs: number
  #concurrentMax = 1
  /**
   * Number of the current round of concurrent requests. The first failure in a round ends it, and
   * further failures in the same round are not counted.
   */
  #round = 0
  #failures: number
  /** Earliest start of the next request within the rate limit, as a time of `performance.now()`. */
  #nextStartMs = 0
  #pausedUntilMs = 0
  /**
   * Start of the attempt that caused the pause. If the account requests a resend after this time,
   * the pause ends.
   */
  #pauseCausedAtMs = 0
  #disabledReason: EndpointChange['disabledReason'] = null
  /**
   * Whether `#disabledReason` is stored. A second write could disable an endpoint that the account
   * has enabled in the meantime.
   */
  #isDisabledReasonWritten = false
  /**
   * Number of times that the account has changed the URL, or enabled the endpoint again, during the
   * run. Outcomes of requests from before the latest such change do not affect the state of the
   * endpoint.
   */
  #resetCount = 0
  /** The endpoint's URL in the latest state. Null until the first read. */
  #url: string | null = null
  /** The first internal error that prevented an event from being sent. */
  #internalError: unknown = null
  /** The write in progress, during which further requests are sent. */
  #writing: Promise<void> | null = null
  #writeError: Error | null = null
  readonly #summary: RunSummary = { attempts: 0, failures: 0, isDisabled: false }

  constructor(dependencies: EndpointRunDependencies, endpoint: LeasedEndpoint) {
    this.#dependencies = dependencies
    this.#endpoint = endpoint
    this.#failures = endpoint.failures
    this.#leaseUntilMs = performance.now() + dependencies.leaseMs
  }

  async run(): Promise<RunSummary> {
    const untilMs = performance.now() + runMsMax
    try {
      for (;;) {
        const state = await this.#readState()
        if (state === undefined) break
        const dueDeliveries = this.#shouldStop(untilMs) ? [] : await this.#readDue()
        if (dueDeliveries.length === 0 && this.#inFlight.size === 0) {
          // Without this wait, the next run could exceed the rate limit, because it may send
          // immediately.
          await this.#awaitRate()
          await this.#write(true)
          break
        }
        if (isClosed(state))
          for (const delivery of dueDeliveries) this.#finishedDeliveries.push(endedWithoutRequest(delivery, state, 0))
        else await this.#send(dueDeliveries, state, untilMs)
        if (this.#inFlight.size > 0) await Promise.race(this.#inFlight.values())
        await this.#endWriting()
        await this.#writeFinished()
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    }
    // Requests are still in flight only if the lease was lost. Their results are discarded, because
    // another worker may have the lease.
    await Promise.all(this.#inFlight.values())
    if (this.#internalError !== null && !this.#dependencies.signal.aborted) throw this.#internalError
    return this.#summary
  }

  /**
   * Reads the current state of the endpoint. Returns undefined if the lease was lost. If the
   * account has changed the URL, or has enabled the endpoint after the run had disabled it, this
   * method resets the failures, the pause and `#disabledReason`.
   */
  async #readState(): Promise<RunState | undefined> {
    // A state that was read before the reason was stored does not show whether the account has
    // enabled the endpoint since.
    const wasDisabled = this.#isDisabledReasonWritten
    const resetCount = this.#resetCount
    const state = await readLeased(this.#dependencies.store, this.#endpoint)
    if (state === undefined) return undefined
    const isEnabledAgain = wasDisabled && resetCount === this.#resetCount && state.enabled === 1
    if (isEnabledAgain || (this.#url !== null && this.#url !== state.url)) {
      this.#resetCount += 1
      this.#failures = 0
      this.#pausedUntilMs = 0
      this.#disabledReason = null
      this.#isDisabledReasonWritten = false
    }
    this.#url = state.url
    return { ...state, resetCount: this.#resetCount }
  }

  async #send(dueDeliveries: readonly DueDelivery[], initialState: RunState, untilMs: number): Promise<void> {
    let state = initialState
    let secrets = await this.#dependencies.secrets(state)
    let stateUntilMs = performance.now() + stateAgeMsMax
    for (const delivery of dueDeliveries) {
      while (this.#inFlight.size >= this.#concurrentMax) {
        await Promise.race(this.#inFlight.values())
        this.#writing ??= this.#writeMeanwhile()
        if (this.#finishedDeliveries.length >= resultsPerWriteMax) await this.#writing
      }
      if (this.#shouldStop(untilMs)) return
      await this.#awaitRate()
      if (performance.now() > stateUntilMs) {
        const currentState = await this.#readState()
        if (currentState === undefined || isClosed(currentState)) return
        state = currentState
        secrets = await this.#dependencies.secrets(state)
        stateUntilMs = performance.now() + stateAgeMsMax
      }
      if (state.rate_limit !== null) this.#nextStartMs = performance.now() + 1000 / state.rate_limit
      const sending = this.#sendOne(delivery, state, secrets)
        .catch((error: unknown) => {
          this.#internalError ??= error
          // Without a pause, the next claim would retry immediately.
          const nowMs = this.#dependencies.clock()
          this.#pause(nowMs + errorPauseMs, nowMs)
        })
        .then(() => void this.#inFlight.delete(delivery.no))
      this.#inFlight.set(delivery.no, sending)
    }
  }

  async #sendOne(delivery: DueDelivery, state: RunState, secrets: readonly string[]): Promise<void> {
    const { channel, clock, expiryClock, timeoutMs, signal, data } = this.#dependencies
    const round = this.#round
    const event = await eventBody(delivery, state, data)
    if (event === null) {
      this.#finishedDeliveries.push(endedWithoutRequest(delivery, state, round))
      return
    }
    const request = { url: delivery.url ?? state.url, secrets, eventId: event.id, body: event.body, timeoutMs, signal }
    const outcome = await sendDelivery(channel, request, clock)
    this.#finishedDeliveries.push({ delivery, outcome, round, resetCount: state.resetCount })
    this.#summary.attempts += 1
    if (outcome.error !== null) this.#summary.failures += 1
    if (state.resetCount !== this.#resetCount) return
    if (outcome.error === null) {
      this.#failures = 0
      this.#concurrentMax =
        outcome.durationMs <= quickResponseMsMax
          ? Math.min(concurrencyMax, this.#concurrentMax * 2)
          : Math.max(1, this.#concurrentMax >> 1)
      return
    }
    this.#concurrentMax = 1
    if (round === this.#round) {
      this.#round += 1
      this.#failures += 1
      const pauseDurationMs = Math.max(pauseMs(this.#failures), retryAfterMs(outcome.retryAfter, outcome.atMs))
      if (pauseDurationMs > 0) this.#pause(clock() + pauseDurationMs, outcome.atMs)
    }
    if (state.kind === 'task') return
    const failingSinceMs = state.failing_since ?? outcome.atMs
    if (outcome.statusCode === 410) this.#disabledReason = 'gone'
    else if (expiryClock() - failingSinceMs >= disabledAfterMs) this.#disabledReason ??= 'failing'
  }

  #pause(untilMs: number, causedAtMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs)
    this.#pauseCausedAtMs = Math.max(this.#pauseCausedAtMs, causedAtMs)
  }

  /** Reads the due deliveries, except those that were already sent and have no stored result yet. */
  async #readDue(): Promise<DueDelivery[]> {
    const { store, clock } = this.#dependencies
    // Collected before the read, during which requests in flight may finish.
    const sentNos = new Set([...this.#inFlight.keys(), ...this.#finishedDeliveries.map(({ delivery }) => delivery.no)])
    const dueDeliveries = await readDue(store, this.#endpoint.no, clock(), deliveriesReadMax + sentNos.size)
    return dueDeliveries.filter(({ no }) => !sentNos.has(no))
  }

  /**
   * Waits briefly for requests that finish at the same time, and writes their results in one
   * commit. Renews the lease after half of its duration.
   */
  async #writeFinished(): Promise<void> {
    if (this.#inFlight.size > 1 && this.#finishedDeliveries.length < resultsPerWriteMax) await sleep(batchDelayMs)
    while (this.#finishedDeliveries.length > 0) await this.#write(false)
    if (performance.now() > this.#leaseUntilMs - this.#dependencies.leaseMs / 2) await this.#write(false)
  }

  /** Writes finished results while further requests are sent. Never rejects. */
  async #writeMeanwhile(): Promise<void> {
    try {
      await this.#writeFinished()
    } catch (error) {
      this.#writeError = error as Error
    }
    this.#writing = null
  }

  /** Waits for the write in progress. Rejects if a write has failed. */
  async #endWriting(): Promise<void> {
    await this.#writing
    if (this.#writeError !== null) throw this.#writeError
  }

  async #write(isReleased: boolean): Promise<void> {
    const { store, clock, leaseMs } = this.#dependencies
    // The account may have changed the URL or enabled the endpoint again. The failures then do not
    // count.
    if (this.#finishedDeliveries.some(({ outcome }) => outcome !== null && outcome.error !== null)) await this.#readState()
    const finishedDeliveries = this.#finishedDeliveries.splice(0, resultsPerWriteMax)
    const nowMs = clock()
    const change = this.#changeOf(finishedDeliveries, isReleased)
    const results = finishedDeliveries.map((finished) => this.#resultOf(finished, nowMs))
    const startedAtMs = performance.now()
    const isWritten = await writeResults(store, { endpoint: this.#endpoint, results, change, nowMs, leaseMs })
    if (!isWritten) throw new LeaseLost()
    this.#leaseUntilMs = startedAtMs + leaseMs
    if (change.disabledReason === null) return
    this.#isDisabledReasonWritten = true
    this.#summary.isDisabled = true
  }

  #changeOf(finished: readonly FinishedDelivery[], isReleased: boolean): EndpointChange {
    const sentOutcomes = finished.flatMap(({ outcome, round, resetCount }) =>
      outcome === null || resetCount !== this.#resetCount ? [] : [{ outcome, round }],
    )
    const hasSucceeded = sentOutcomes.some(({ outcome }) => outcome.error === null)
    const failedRounds = new Set(sentOutcomes.filter(({ outcome }) => outcome.error !== null).map(({ round }) => round))
    const [untilMs, causedAtMs] = [this.#pausedUntilMs, this.#pauseCausedAtMs]
    return {
      failures: hasSucceeded && this.#failures === 0 ? null : failedRounds.size,
      pause: untilMs === 0 ? null : { untilMs, causedAtMs },
      disabledReason: this.#isDisabledReasonWritten ? null : this.#disabledReason,
      isReleased,
    }
  }

  #resultOf({ delivery, outcome, resetCount }: FinishedDelivery, nowMs: number): DeliveryResult {
    const { no, tries, is_manual, due_at: readDueAtMs } = delivery
    if (outcome === null) return { no, status: 'failed', dueAtMs: null, readDueAtMs, attempt: null }
    const attempt = { ...outcome, isManual: is_manual === 1 }
    if (outcome.error === null) return { no, status: 'delivered', dueAtMs: null, readDueAtMs, attempt }
    const isCurrent = resetCount === this.#resetCount
    const isGone = outcome.statusCode === 410 && isCurrent
    const delayMs = isGone ? null : retryDelayMs(tries + 1, this.#dependencies.random())
    if (delayMs === null || this.#disabledReason !== null) return { no, status: 'failed', dueAtMs: null, readDueAtMs, attempt }
    const dueAtMs = nowMs + Math.max(delayMs, isCurrent ? retryAfterMs(outcome.retryAfter, nowMs) : 0)
    return { no, status: 'pending', dueAtMs, readDueAtMs, attempt }
  }

  #shouldStop(untilMs: number): boolean {
    const { stopSignal, clock, timeoutMs, leaseMs } = this.#dependencies
    const nowMs = performance.now()
    return (
      stopSignal.aborted ||
      this.#internalError !== null ||
      this.#writeError !== null ||
      nowMs > untilMs ||
      clock() < this.#pausedUntilMs ||
      this.#disabledReason !== null ||
      // A request must not outlive the lease.
      nowMs + Math.min(timeoutMs, leaseMs / 2) > this.#leaseUntilMs
    )
  }

  /** Waits, for at most a second, until the endpoint's rate limit allows the next request. */
  async #awaitRate(): Promise<void> {
    const waitMs = this.#nextStartMs - performance.now()
    if (waitMs > 0) await sleepUntilAborted(waitMs, this.#dependencies.stopSignal)
  }
}

/** Whether the endpoint no longer receives events. Its due deliveries then fail. */
function isClosed(state: EndpointState): boolean {
  return state.enabled === 0 || state.deleted_at !== null || state.account_status === 'closed'
}

function endedWithoutRequest(delivery: DueDelivery, { resetCount }: RunState, round: number): FinishedDelivery {
  return { delivery, outcome: null, round, resetCount }
}

/** Thrown within this file if another worker has the lease, or if the endpoint was removed. */
class LeaseLost extends Error {}

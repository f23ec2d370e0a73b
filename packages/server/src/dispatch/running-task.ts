import type { Attempt, Claim } from '../db/store.ts'
import { attemptIdOf } from '../lib/attempt-id.ts'
import type { Work } from '../lib/current-work.ts'
import type { Slots } from '../routing/slots.ts'

/** Why work on a task stops before its end. */
export type StopReason =
  /** The task has ended without us: it was cancelled. */
  | 'ended'
  /** Another worker has it now. */
  | 'lease_lost'
  | 'deadline'
  /** The service closes: the lease is given back, somebody goes on later. */
  | 'closing'

/** The longest time that a timer of Node can run. */
const timerMsMax = 2 ** 31 - 1

/** A claimed task in this process: its lease, its attempt, its progress, and the ways to wake and to stop the work on it. */
export class RunningTask implements Work {
  readonly claim: Claim
  attempt: Attempt
  /** A file of it may have been stored: by us, or by whoever had it before. */
  mayBeStored: boolean
  /** Its result is being collected: at shutdown it gets some time for that. */
  isCollecting = false
  /** Highest progress that the driver has reported, 0 to 99. */
  progress: number
  renewedAtMs: number
  renewedProgress: number
  stopReason: StopReason | null = null
  /** This process has claimed the task again, and goes on with it. */
  isReplaced = false
  /** Whether the begin of the attempt was committed is unknown: nothing was sent, but it may count as begun. */
  isBeginUnknown = false
  /** How long the attempt may take. */
  deadlineMs = 0
  #deadline: NodeJS.Timeout | undefined
  readonly #abort = new AbortController()
  readonly #closing = new AbortController()
  // One of its own: thousands of listeners on a shared signal would each be looked through for the next one.
  readonly #lasting = new AbortController()
  #slots: readonly Slots[] = []
  #wake: (() => void) | null = null
  #woken = false

  constructor(claim: Claim, nowMs: number) {
    this.claim = claim
    this.attempt = claim.attempt
    this.mayBeStored = claim.attempt.resumed || claim.attempt.failedBefore > 0
    this.progress = claim.task.progress
    this.renewedProgress = claim.task.progress
    this.renewedAtMs = nowMs
  }

  get taskId(): string {
    return this.claim.id
  }

  get attemptId(): string {
    return attemptIdOf(this.claim.id, this.attempt.number)
  }

  get routeName(): string {
    return this.attempt.route
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Takes slots that this process counts, until `releaseSlots`. */
  acquireSlots(slots: readonly Slots[]): void {
    this.#slots = slots
    for (const each of slots) each.acquire()
  }

  releaseSlots(): void {
    for (const each of this.#slots) each.release()
    this.#slots = []
  }

  /** The submit may be sent from now on: the attempt's time begins to run. */
  begin(nowMs: number): void {
    this.attempt = { ...this.attempt, state: 'starting', startedAtMs: nowMs }
    this.stopAfter(this.deadlineMs)
  }

  /** Stops the work by its deadline, unless `cancelDeadline` comes first. */
  stopAfter(ms: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.stop('deadline'), Math.min(timerMsMax, Math.max(0, ms)))
  }

  cancelDeadline(): void {
    clearTimeout(this.#deadline)
  }

  /** Aborts when the service closes, whatever else has stopped the work: what only waits ends at once. */
  get closingSignal(): AbortSignal {
    return this.#closing.signal
  }

  /** For what may have been paid when it breaks off: only the end of the process, after a grace period, aborts it. */
  get lastingSignal(): AbortSignal {
    return this.#lasting.signal
  }

  /** The grace period at shutdown is over. */
  abandon(): void {
    this.#lasting.abort(new Error('the service closes'))
  }

  stop(reason: StopReason): void {
    if (reason === 'closing') this.#closing.abort(new Error('the service closes'))
    if (this.stopReason !== null) return
    this.stopReason = reason
    this.#abort.abort(new Error(`work on the task stops: ${reason}`))
    this.wake()
  }

  /** Ends the current `pause`, or the next one if there is none. */
  wake(): void {
    this.#woken = true
    this.#wake?.()
  }

  /** Waits for the time, a wake or a stop, whichever comes first. */
  async pause(ms: number): Promise<void> {
    if (!this.#woken && this.stopReason === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = null
    }
    this.#woken = false
  }
}

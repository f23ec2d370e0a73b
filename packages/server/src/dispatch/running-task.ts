import type { Attempt, Claim } from '../db/task-queue.ts'
import { attemptIdOf } from '../identity/attempt-id.ts'
import type { Work } from '../identity/current-work.ts'
import type { Slots } from '../routing/slots.ts'
import { sleepUntilAborted } from '../lib/sleep-until-aborted.ts'

/** Reason why the work on a task stops before it is complete. */
export type StopReason =
  /** The task was cancelled, or ended elsewhere. */
  | 'ended'
  /** Another worker holds the lease of the task now. */
  | 'lease_lost'
  | 'deadline'
  /** The service closes and releases the lease. Another worker resumes the task later. */
  | 'closing'

/**
 * Errors of the calls that a stop interrupts, created once because a stack trace takes CPU time.
 */
const stopErrors: Readonly<Record<StopReason, Error>> = {
  ended: new Error('work on the task stops: the task has ended'),
  lease_lost: new Error('work on the task stops: another worker holds its lease'),
  deadline: new Error('work on the task stops: its deadline has passed'),
  closing: new Error('the service closes'),
}

/** Maximum delay of a Node timer. */
const timerMsMax = 2 ** 31 - 1

/**
 * A task that this process has claimed, with its lease, attempt and progress, and methods to wake
 * and stop the work on it.
 */
export class RunningTask implements Work {
  readonly claim: Claim
  attempt: Attempt
  /** Whether this worker or an earlier one may have stored a file of the task. */
  mayHaveFiles: boolean
  /** Whether the results of the task are being collected. `Dispatcher.drain` waits for that. */
  isCollecting = false
  /** Highest progress that the driver has reported, 0 to 99. */
  progress: number
  renewedAtMs: number
  renewedProgress: number
  stopReason: StopReason | null = null
  /** Whether this process has claimed the task again and continues it with the new claim. */
  isReplaced = false
  /**
   * Whether it is unknown if `beginAttempt` was committed. Nothing was sent, but the store may
   * count the attempt as begun.
   */
  isBeginUnknown = false
  /** Time limit of the attempt, in milliseconds from its start. */
  deadlineMs = 0
  #deadlineTimer: NodeJS.Timeout | undefined
  /** Time of the deadline, as a time of `performance.now()`. */
  #deadlineAtMs = Infinity
  readonly #stopController = new AbortController()
  readonly #closingController = new AbortController()
  // One controller per task. A shared signal would have thousands of listeners, and each added
  // listener is compared with all others.
  readonly #detachedController = new AbortController()
  #acquiredSlots: readonly Slots[] = []
  #wake: (() => void) | null = null
  #isWoken = false

  constructor(claim: Claim, nowMs: number) {
    this.claim = claim
    this.attempt = claim.attempt
    this.mayHaveFiles = claim.attempt.resumed || claim.attempt.failedBefore > 0
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
    return this.#stopController.signal
  }

  /** Acquires slots that this process counts itself. The task holds them until `releaseSlots`. */
  acquireSlots(slots: readonly Slots[]): void {
    this.#acquiredSlots = slots
    for (const slot of slots) slot.acquire()
  }

  releaseSlots(): void {
    for (const slot of this.#acquiredSlots) slot.release()
    this.#acquiredSlots = []
  }

  /**
   * Marks the attempt as begun. From now on the submit may be sent, and the time limit of the
   * attempt applies.
   */
  begin(nowMs: number): void {
    this.attempt = { ...this.attempt, state: 'starting', startedAtMs: nowMs }
    this.stopAfter(this.deadlineMs)
  }

  /** Stops the work after this time. Replaces an earlier deadline. */
  stopAfter(ms: number): void {
    clearTimeout(this.#deadlineTimer)
    this.#deadlineAtMs = performance.now() + ms
    this.#deadlineTimer = setTimeout(() => this.stop('deadline'), Math.min(timerMsMax, Math.max(0, ms)))
  }

  /** Time until the deadline. */
  get remainingMs(): number {
    return this.#deadlineAtMs - performance.now()
  }

  cancelDeadline(): void {
    clearTimeout(this.#deadlineTimer)
  }

  /**
   * Signal that aborts when the service closes, even if the work was stopped before. It ends waits
   * during which no request is in flight.
   */
  get closingSignal(): AbortSignal {
    return this.#closingController.signal
  }

  /**
   * Signal for calls that an upstream may charge for even if they are interrupted. It aborts only
   * when the grace period at shutdown is over.
   */
  get detachedSignal(): AbortSignal {
    return this.#detachedController.signal
  }

  /** Called when the grace period at shutdown is over. */
  abandon(): void {
    this.#detachedController.abort(stopErrors.closing)
  }

  stop(reason: StopReason): void {
    if (reason === 'closing') this.#closingController.abort(stopErrors.closing)
    if (this.stopReason !== null) return
    this.stopReason = reason
    this.#stopController.abort(stopErrors[reason])
    this.wake()
  }

  /** Ends the current `pause`. If there is none, the next `pause` ends immediately. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Waits until the time has passed, `wake` is called or the work stops, whichever comes first. */
  async pause(ms: number): Promise<void> {
    if (!this.#isWoken && this.stopReason === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = null
    }
    this.#isWoken = false
  }

  /** Waits until the time has passed or the work stops. `wake` does not end the wait. */
  async pauseIgnoringWake(ms: number): Promise<void> {
    await sleepUntilAborted(ms, this.signal)
  }
}

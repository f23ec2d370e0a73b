import type { Attempt, AttemptRoute, Claim } from '../db/store.ts'
import { attemptIdOf } from '../lib/attempt-id.ts'
import type { Work } from '../lib/current-work.ts'
import type { Route } from '../routing/route.ts'

/** Why work on a task stops before its end. */
export type StopReason =
  /** The task has ended without us: it was cancelled. */
  | 'ended'
  /** Another worker has it now. */
  | 'lease_lost'
  | 'deadline'
  /** The service closes: the lease is given back, somebody goes on later. */
  | 'closing'

/** A claimed task in this process: its lease, its attempt, its progress, and the ways to wake and to stop the work on it. */
export class RunningTask implements Work {
  readonly claim: Claim
  /** For what may have been paid when it breaks off: only the end of the process, after some patience, stops it. */
  readonly lastingSignal: AbortSignal
  attempt: Attempt
  /** Known once the parameters are read: it mostly waits and takes nobody's place. */
  isSimulated = false
  /** A file of it may have been stored: by us, or by whoever had it before. */
  mayBeStored: boolean
  /** Highest progress that the driver has reported, 0 to 99. */
  progress: number
  renewedAtMs: number
  renewedProgress: number
  stopReason: StopReason | null = null
  /** This process has claimed the task again, and goes on with it. */
  isReplaced = false
  readonly #abort = new AbortController()
  readonly #closing = new AbortController()
  #route: Route | null = null
  #wake: (() => void) | null = null
  #woken = false

  constructor(claim: Claim, lastingSignal: AbortSignal, nowMs: number) {
    this.claim = claim
    this.lastingSignal = lastingSignal
    this.attempt = claim.attempt
    this.mayBeStored = claim.fence > 1
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

  get route(): Route | null {
    return this.#route
  }

  /** Takes a place on this route instead of the one it has. */
  moveTo(route: Route | null, nowMs: number): void {
    this.#route?.leave(nowMs)
    this.#route = route
    route?.enter(nowMs)
  }

  /** A further attempt, in place of the one that has come to nothing. */
  tryAgain(number: number, { route, frozenNo }: AttemptRoute, nowMs: number): void {
    const failedBefore = this.attempt.failedBefore + 1
    this.attempt = {
      number,
      state: 'starting',
      resumed: false,
      failedBefore,
      route,
      frozenNo,
      operation: null,
      startedAtMs: nowMs,
    }
  }

  /** Aborts when the service closes, whatever else has stopped the work: what only waits ends at once. */
  get closingSignal(): AbortSignal {
    return this.#closing.signal
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

import type { Claim } from '../db/store.ts'

/** Why work on a task stops before its end. */
export type StopReason =
  /** The task has ended without us: it was cancelled. */
  | 'ended'
  /** Another worker has it now. */
  | 'lease_lost'
  | 'deadline'
  /** The service closes: the lease is given back, somebody goes on later. */
  | 'closing'

/** A claimed task in this process: its lease, its progress, and the ways to wake and to stop the work on it. */
export class RunningTask {
  readonly claim: Claim
  readonly attemptId: string
  /** Known once the parameters are read: it mostly waits and takes nobody's place. */
  isSimulated = false
  /** A file of it may have been stored: by us, or by whoever had it before. */
  mayBeStored: boolean
  /** Highest progress that the driver has reported, 0 to 99. */
  progress: number
  renewedAtMs: number
  renewedProgress: number
  stopReason: StopReason | null = null
  readonly #abort = new AbortController()
  #wake: (() => void) | null = null
  #woken = false

  constructor(claim: Claim, nowMs: number) {
    this.claim = claim
    this.mayBeStored = claim.fence > 1
    this.attemptId = attemptIdOf(claim.id, claim.attempt.number)
    this.progress = claim.task.progress
    this.renewedProgress = claim.task.progress
    this.renewedAtMs = nowMs
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  stop(reason: StopReason): void {
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

/** File-name safe, unique, and the same after a restart: it goes upstream as the idempotency key. */
function attemptIdOf(taskId: string, number: number): string {
  return `${taskId}_${number}`
}

import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import { clampRetryAfter } from './pause.ts'

export const defaultPollsPerSecond = 50

/** Share of an upstream's request rate that is reserved for overdue jobs. */
const overdueShare = 0.2
/** Maximum time until a changed rate or pause takes effect, in milliseconds. */
const rateReadIntervalMs = 500

interface WaitingPoll {
  proceed: () => void
}

/**
 * Limits the rate of polls to one upstream, and spreads the polls evenly. Polls of jobs that are
 * not overdue take precedence. Overdue jobs, which run far longer than expected, get the remaining
 * rate, but at least a fifth of the limit.
 */
export class PollRateLimiter {
  /** Rate limit of all processes together, in requests per second. */
  perSecondMax: number
  readonly #countProcesses: () => number
  readonly #expectedPolls = new Set<WaitingPoll>()
  readonly #overduePolls = new Set<WaitingPoll>()
  #lastPollAtMs = 0
  /** End of the pause that the upstream has requested for polls. */
  #pausedUntilMs = 0
  #overdueCredit = 0
  #isDraining = false

  constructor(perSecondMax: number, countProcesses: () => number = () => 1) {
    this.perSecondMax = perSecondMax
    this.#countProcesses = countProcesses
  }

  /** Resolves when the caller may send the poll, or immediately when the signal aborts. */
  acquire(isOverdue: boolean, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const queue = isOverdue ? this.#overduePolls : this.#expectedPolls
      const abandon = (): void => {
        queue.delete(waiting)
        resolve()
      }
      const waiting: WaitingPoll = {
        proceed: () => {
          signal.removeEventListener('abort', abandon)
          resolve()
        },
      }
      signal.addEventListener('abort', abandon, { once: true })
      queue.add(waiting)
      if (!this.#isDraining) void this.#drainQueue()
    })
  }

  /**
   * Records a failed poll. If the upstream has sent a `Retry-After`, all polls of the upstream wait
   * for that time.
   */
  recordError(error: unknown): void {
    if (!(error instanceof UpstreamThrottled) || error.retryAfterMs === null) return
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, performance.now() + clampRetryAfter(error.retryAfterMs))
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntilMs
  }

  async #drainQueue(): Promise<void> {
    this.#isDraining = true
    while (this.#expectedPolls.size + this.#overduePolls.size > 0) {
      const dueAtMs = Math.max(this.#pausedUntilMs, this.#lastPollAtMs + (1000 * this.#countProcesses()) / this.perSecondMax)
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 1 || this.isPaused) {
        await sleep(Math.min(waitMs, rateReadIntervalMs), undefined, { ref: false })
        continue
      }
      // Timers fire late. The delay of a timer is subtracted from the wait for the next poll, up to
      // a tenth of a second.
      this.#lastPollAtMs = Math.max(performance.now() - 100, dueAtMs)
      this.#nextPoll()?.proceed()
    }
    this.#isDraining = false
  }

  #nextPoll(): WaitingPoll | undefined {
    if (this.#overduePolls.size > 0) {
      this.#overdueCredit += overdueShare
      if (this.#expectedPolls.size === 0 || this.#overdueCredit >= 1) {
        this.#overdueCredit = 0
        return shiftWaiting(this.#overduePolls)
      }
    }
    return shiftWaiting(this.#expectedPolls)
  }
}

function shiftWaiting(queue: Set<WaitingPoll>): WaitingPoll | undefined {
  for (const firstPoll of queue) {
    queue.delete(firstPoll)
    return firstPoll
  }
  return undefined
}

import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import { clampRetryAfter } from './pause.ts'

export const pollsPerSecondDefault = 50

/** Share of an upstream's request rate that is reserved for overdue jobs. */
const overdueShare = 0.2
/** Maximum time until a changed rate takes effect, in milliseconds. */
const rateReadIntervalMs = 500

interface Waiting {
  proceed: () => void
}

/**
 * Limits the rate of polls to one upstream, and spreads the polls evenly. Polls of jobs that are
 * expected to end soon take precedence. Overdue jobs get the rest of the rate, and at least a fifth
 * of it.
 */
export class PollRateLimiter {
  /** Rate limit of all processes together, in requests per second. */
  perSecondMax: number
  readonly #processes: () => number
  readonly #expected = new Set<Waiting>()
  readonly #overdue = new Set<Waiting>()
  #lastAtMs = 0
  /** End of the pause that the upstream has requested for polls. */
  #pausedUntilMs = 0
  #overdueCredit = 0
  #isDraining = false

  constructor(perSecondMax: number, processes: () => number = () => 1) {
    this.perSecondMax = perSecondMax
    this.#processes = processes
  }

  /** Resolves when the caller may send the poll, or immediately when the signal aborts. */
  acquire(isOverdue: boolean, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const queue = isOverdue ? this.#overdue : this.#expected
      const leave = (): void => {
        queue.delete(waiting)
        resolve()
      }
      const waiting: Waiting = {
        proceed: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
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
    while (this.#expected.size + this.#overdue.size > 0) {
      const dueAtMs = Math.max(this.#pausedUntilMs, this.#lastAtMs + (1000 * this.#processes()) / this.perSecondMax)
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 1 || this.isPaused) {
        await sleep(Math.min(waitMs, rateReadIntervalMs), undefined, { ref: false })
        continue
      }
      // Timers fire late. The delay of a timer is subtracted from the wait for the next poll, up to
      // a tenth of a second.
      this.#lastAtMs = Math.max(performance.now() - 100, dueAtMs)
      this.#nextPoll()?.proceed()
    }
    this.#isDraining = false
  }

  #nextPoll(): Waiting | undefined {
    if (this.#overdue.size > 0) {
      this.#overdueCredit += overdueShare
      if (this.#expected.size === 0 || this.#overdueCredit >= 1) {
        this.#overdueCredit = 0
        return shiftWaiting(this.#overdue)
      }
    }
    return shiftWaiting(this.#expected)
  }
}

function shiftWaiting(queue: Set<Waiting>): Waiting | undefined {
  for (const first of queue) {
    queue.delete(first)
    return first
  }
  return undefined
}

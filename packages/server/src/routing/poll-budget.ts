import { setTimeout as sleep } from 'node:timers/promises'

export const pollsPerSecondDefault = 50

/** Of what one credential may ask in a second, so much is left to those that are overdue, however many others there are. */
const overdueShare = 0.2

/**
 * So many polls in a second with one credential, spread evenly. Whoever is expected to end goes first; those that should have
 * ended long ago share what is left, and at least a fifth.
 */
export class PollBudget {
  readonly #perSecondMax: () => number
  readonly #expected: (() => void)[] = []
  readonly #overdue: (() => void)[] = []
  #nextAtMs = 0
  #overdueCredit = 0
  #isServing = false

  constructor(perSecondMax: () => number) {
    this.#perSecondMax = perSecondMax
  }

  /** Fulfilled when the poll may be made. */
  turn(isOverdue: boolean): Promise<void> {
    return new Promise((resolve) => {
      ;(isOverdue ? this.#overdue : this.#expected).push(resolve)
      if (!this.#isServing) void this.#serve()
    })
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const waitMs = this.#nextAtMs - performance.now()
      // A timer is never exact: what it was late is made up for, up to a tenth of a second.
      if (waitMs > 1) await sleep(waitMs)
      this.#nextAtMs = Math.max(performance.now() - 100, this.#nextAtMs) + 1000 / this.#perSecondMax()
      next()
    }
    this.#isServing = false
  }

  #take(): (() => void) | undefined {
    if (this.#overdue.length > 0) {
      this.#overdueCredit += overdueShare
      if (this.#expected.length === 0 || this.#overdueCredit >= 1) {
        this.#overdueCredit = 0
        return this.#overdue.shift()
      }
    }
    return this.#expected.shift()
  }
}

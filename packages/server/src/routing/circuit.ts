const faultsMax = 5
const openMsMin = 15_000
const openMsMax = 5 * 60_000

/**
 * Keeps work away from what is out of order.
 *
 *   closed      work goes through; so many faults in a row open it
 *   open        nothing goes through for a while, longer each time
 *   half open   one piece of work, or a probe, goes through: it closes or opens it again
 */
export class Circuit {
  #faults = 0
  #openUntilMs = 0
  #openMs = openMsMin
  #isTrying = false

  state(nowMs: number): 'closed' | 'open' | 'half_open' {
    if (this.#faults < faultsMax) return 'closed'
    return nowMs < this.#openUntilMs || this.#isTrying ? 'open' : 'half_open'
  }

  /** When it will be half open; null while it is closed. */
  get openUntilMs(): number | null {
    return this.#faults < faultsMax ? null : this.#openUntilMs
  }

  /** What is half open lets this one through, and nothing else until its end is known. */
  beginTry(): void {
    if (this.#faults >= faultsMax) this.#isTrying = true
  }

  succeed(): void {
    this.#faults = 0
    this.#openMs = openMsMin
    this.#isTrying = false
  }

  fail(nowMs: number): void {
    this.#faults += 1
    if (this.#faults < faultsMax) return
    if (this.#isTrying) this.#openMs = Math.min(openMsMax, this.#openMs * 2)
    this.#isTrying = false
    this.#openUntilMs = nowMs + this.#openMs
  }

  /** The try ended without telling anything. */
  endTry(): void {
    this.#isTrying = false
  }
}

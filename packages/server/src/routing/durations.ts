const keptMax = 200
/** With fewer durations, a prediction would be too uncertain. */
const neededMin = 3

/** Recent durations of the attempts on a route, from start to end. */
export class Durations {
  readonly #kept: number[] = []
  readonly #random: () => number
  #expected: ExpectedDuration | null = null

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /**
   * When the list is full, a new duration replaces a random one. If it replaced the oldest, only
   * the longest durations would remain of many attempts that were started together, because these
   * end last.
   */
  add(durationMs: number): void {
    if (this.#kept.length < keptMax) this.#kept.push(durationMs)
    else this.#kept[Math.floor(this.#random() * keptMax)] = durationMs
    this.#expected = null
  }

  /** Null until enough durations are known. */
  expected(): ExpectedDuration | null {
    if (this.#kept.length < neededMin) return null
    this.#expected ??= expectedOf(this.#kept.toSorted((a, b) => a - b))
    return this.#expected
  }
}

function expectedOf(sorted: readonly number[]): ExpectedDuration {
  return { earlyMs: sorted[0] ?? 0, lateMs: sorted[Math.floor(sorted.length * 0.9)] ?? 0 }
}

/** No attempt ended before `earlyMs`; a tenth ended after `lateMs`. */
export interface ExpectedDuration {
  earlyMs: number
  lateMs: number
}

const keptMax = 200
/** Fewer say too little. */
const neededMin = 3

/** How long attempts of a route have taken lately, from their start to their end. */
export class Durations {
  readonly #kept: number[] = []
  readonly #random: () => number
  #expected: ExpectedDuration | null = null

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** A new one replaces any: of many that were started together the longest end last, and would otherwise be all that is known. */
  add(durationMs: number): void {
    if (this.#kept.length < keptMax) this.#kept.push(durationMs)
    else this.#kept[Math.floor(this.#random() * keptMax)] = durationMs
    this.#expected = null
  }

  /** Null until enough are known. */
  expected(): ExpectedDuration | null {
    if (this.#kept.length < neededMin) return null
    this.#expected ??= expectedOf(this.#kept.toSorted((a, b) => a - b))
    return this.#expected
  }
}

function expectedOf(sorted: readonly number[]): ExpectedDuration {
  return { earlyMs: sorted[0] ?? 0, lateMs: sorted[Math.floor(sorted.length * 0.9)] ?? 0 }
}

/** None has ended before the one, a tenth after the other. */
export interface ExpectedDuration {
  earlyMs: number
  lateMs: number
}

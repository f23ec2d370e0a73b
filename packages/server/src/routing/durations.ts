const samplesMax = 200
/** Minimum number of durations for a prediction. */
const samplesMin = 3

/** Recent durations of the attempts on a route, from start to end. */
export class Durations {
  readonly #samples: number[] = []
  readonly #random: () => number
  #expected: ExpectedDuration | null = null

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /**
   * When the list is full, a new duration replaces a random one. Attempts that start together end
   * in the order of their durations. If a new duration replaced the oldest one, only the longest
   * durations of many such attempts would remain.
   */
  add(durationMs: number): void {
    if (this.#samples.length < samplesMax) this.#samples.push(durationMs)
    else this.#samples[Math.floor(this.#random() * samplesMax)] = durationMs
    this.#expected = null
  }

  /** Returns null until enough durations are known. */
  predict(): ExpectedDuration | null {
    if (this.#samples.length < samplesMin) return null
    this.#expected ??= expectedOf(this.#samples.toSorted((a, b) => a - b))
    return this.#expected
  }
}

function expectedOf(sorted: readonly number[]): ExpectedDuration {
  return { shortestMs: sorted[0] ?? 0, p90Ms: sorted[Math.floor(sorted.length * 0.9)] ?? 0 }
}

/**
 * Bounds of the recent durations, in milliseconds: no attempt was shorter than `shortestMs`, and at
 * most a tenth of the attempts took longer than `p90Ms`.
 */
export interface ExpectedDuration {
  shortestMs: number
  p90Ms: number
}

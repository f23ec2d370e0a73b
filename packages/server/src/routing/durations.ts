const keptMax = 50
/** Fewer say too little. */
const neededMin = 3

/** How long the latest attempts of a route took, from their start to their end. */
export class Durations {
  readonly #latest: number[] = []

  add(durationMs: number): void {
    this.#latest.push(durationMs)
    if (this.#latest.length > keptMax) this.#latest.shift()
  }

  /** Null until enough are known. */
  expected(): ExpectedDuration | null {
    if (this.#latest.length < neededMin) return null
    const sorted = this.#latest.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return { earlyMs: at(0.1), lateMs: at(0.9) }
  }
}

/** A tenth ends before the one, a tenth after the other. */
export interface ExpectedDuration {
  earlyMs: number
  lateMs: number
}

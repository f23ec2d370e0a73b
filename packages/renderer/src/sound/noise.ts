import type { Random } from '../picture/random.ts'

/** Returns the next sample. */
export type SampleGenerator = () => number

/** White noise from -1 to 1. */
export function whiteNoise(random: Random): SampleGenerator {
  return () => random() * 2 - 1
}

/**
 * A resonant state variable filter. It passes the band around a frequency that may change from
 * sample to sample.
 */
export class BandFilter {
  readonly #damping: number
  #low = 0
  #band = 0

  /** A `damping` of 2 gives a broad band, 0.05 a ringing tone. */
  constructor(damping: number) {
    this.#damping = damping
  }

  next(sample: number, frequencyHz: number, sampleRate: number): { lowPass: number; band: number } {
    const step = 2 * Math.sin((Math.PI * Math.min(frequencyHz, sampleRate / 6)) / sampleRate)
    this.#low += step * this.#band
    this.#band += step * (sample - this.#low - this.#damping * this.#band)
    return { lowPass: this.#low, band: this.#band }
  }
}

/**
 * A smooth random walk from 0 to 1 that never repeats: a new target about every `periodSeconds`,
 * approached without corners. It drives gusts, swells and traffic.
 */
export function smoothRandomWalk(random: Random, periodSeconds: number, sampleRate: number): SampleGenerator {
  let from = random()
  let to = random()
  let position = 0
  let length = 1
  const begin = (): void => {
    from = to
    to = random()
    position = 0
    length = Math.max(1, Math.round(periodSeconds * sampleRate * (0.6 + 0.8 * random())))
  }
  begin()
  return () => {
    if (position >= length) begin()
    const stepShare = position++ / length
    return from + (to - from) * stepShare * stepShare * (3 - 2 * stepShare)
  }
}

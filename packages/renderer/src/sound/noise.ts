import type { Random } from '../picture/random.ts'

/** Returns the next sample. */
export type SampleGenerator = () => number

/** Generates white noise from -1 to 1. */
export function whiteNoise(random: Random): SampleGenerator {
  return () => random() * 2 - 1
}

/**
 * A resonant state variable filter: a low pass, and a band pass around a frequency that may change
 * from sample to sample.
 */
export class BandFilter {
  readonly #damping: number
  #low = 0
  #band = 0

  /** A `damping` of 2 gives a broad band. With 0.05, the filter rings at its frequency. */
  constructor(damping: number) {
    this.#damping = damping
  }

  /**
   * Filters one sample. A `frequencyHz` above a sixth of the sample rate is lowered to that value.
   */
  next(sample: number, frequencyHz: number, sampleRate: number): { lowPass: number; bandPass: number } {
    const coefficient = 2 * Math.sin((Math.PI * Math.min(frequencyHz, sampleRate / 6)) / sampleRate)
    this.#low += coefficient * this.#band
    this.#band += coefficient * (sample - this.#low - this.#damping * this.#band)
    return { lowPass: this.#low, bandPass: this.#band }
  }
}

/**
 * Generates values from 0 to 1 that move smoothly to one random target after another. The time
 * between targets varies around `periodSeconds`. Gusts, swells and traffic follow such values.
 */
export function smoothRandomWalk(random: Random, periodSeconds: number, sampleRate: number): SampleGenerator {
  let from = random()
  let to = random()
  let position = 0
  let samplesToTarget = 1
  const chooseTarget = (): void => {
    from = to
    to = random()
    position = 0
    samplesToTarget = Math.max(1, Math.round(periodSeconds * sampleRate * (0.6 + 0.8 * random())))
  }
  chooseTarget()
  return () => {
    if (position >= samplesToTarget) chooseTarget()
    const progress = position++ / samplesToTarget
    return from + (to - from) * progress * progress * (3 - 2 * progress)
  }
}

import type { Sound } from '../film/video-encoder.ts'

/** The K weighting of ITU-R BS.1770 at 48,000 samples a second: what the head and the ear make of each frequency. */
const shelf = { b: [1.53512485958697, -2.69169618940638, 1.19839281085285], a: [-1.69065929318241, 0.73248077421585] } as const
const highPass = { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] } as const

/** Loudness in LUFS over the whole length, without the gate for silence: an ambience has none. */
export function measureLoudness({ left, right }: Sound): number {
  return -0.691 + 10 * Math.log10(weightedPower(left) + weightedPower(right))
}

function weightedPower(samples: Float32Array): number {
  const [first, second] = [biquad(shelf), biquad(highPass)]
  let sum = 0
  for (const sample of samples) sum += second(first(sample)) ** 2
  return sum / samples.length
}

interface Coefficients {
  b: readonly [number, number, number]
  a: readonly [number, number]
}

function biquad({ b: [b0, b1, b2], a: [a1, a2] }: Coefficients): (sample: number) => number {
  let [state1, state2] = [0, 0]
  return (sample) => {
    const out = b0 * sample + state1
    state1 = b1 * sample - a1 * out + state2
    state2 = b2 * sample - a2 * out
    return out
  }
}

import { soundRate, type Sound } from '../video/sound-encoder.ts'

/**
 * Shelf filter, the first of two filters of the K weighting in ITU-R BS.1770, at 48,000 samples per
 * second. K weighting approximates how loud each frequency is to a human listener.
 */
const shelf = { b: [1.53512485958697, -2.69169618940638, 1.19839281085285], a: [-1.69065929318241, 0.73248077421585] } as const
/** High-pass filter, the second one. Its numerator is 1, -2, 1. */
const highPass = { a: [-1.99004745483398, 0.99007225036621] } as const

/** Distance between the starts of two blocks. Loudness is measured in overlapping blocks. */
const stepSamples = 0.1 * soundRate
const stepsPerBlock = 4
/** Absolute gate of the standard: quieter blocks are ignored. */
const absoluteGateLufs = -70
/**
 * Relative gate: a remaining block is ignored too if it is quieter than the mean of the remaining
 * blocks by more than this.
 */
const relativeGateLu = 10

/**
 * Returns the integrated loudness in LUFS, or `NaN` for silence. The gates of the standard exclude
 * pauses.
 */
export function measureLoudness({ left, right }: Sound): number {
  const [leftSteps, rightSteps] = [weightedPowers(left), weightedPowers(right)]
  const steps = leftSteps.map((power, index) => power + (rightSteps[index] ?? 0))
  const blockSteps = Math.min(stepsPerBlock, steps.length)
  const blocks = steps.slice(0, steps.length - blockSteps + 1).map((_, start) => meanOf(steps.slice(start, start + blockSteps)))
  const audibleBlocks = blocks.filter((power) => toLufs(power) > absoluteGateLufs)
  const gateLufs = toLufs(meanOf(audibleBlocks)) - relativeGateLu
  return toLufs(meanOf(audibleBlocks.filter((power) => toLufs(power) > gateLufs)))
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Returns the mean weighted power of each complete step, or of all samples if there is no complete
 * step. Both filters are inlined, because the loop runs for every sample of a video.
 */
function weightedPowers(samples: Float32Array): number[] {
  const [b0, b1, b2] = shelf.b
  const [a1, a2] = shelf.a
  const [c1, c2] = highPass.a
  let [shelf1, shelf2, high1, high2] = [0, 0, 0, 0]
  const powers: number[] = []
  let [sum, count] = [0, 0]
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0
    const shelved = b0 * sample + shelf1
    shelf1 = b1 * sample - a1 * shelved + shelf2
    shelf2 = b2 * sample - a2 * shelved
    const weighted = shelved + high1
    high1 = -2 * shelved - c1 * weighted + high2
    high2 = shelved - c2 * weighted
    sum += weighted * weighted
    if (++count < stepSamples) continue
    powers.push(sum / count)
    sum = count = 0
  }
  return powers.length > 0 ? powers : [sum / Math.max(1, count)]
}

import { soundRate, type Sound } from '../video/sound-encoder.ts'

/**
 * K weighting of ITU-R BS.1770 at 48,000 samples per second: the weight of each frequency for a
 * human listener.
 */
const shelf = { b: [1.53512485958697, -2.69169618940638, 1.19839281085285], a: [-1.69065929318241, 0.73248077421585] } as const
/** The numerator is 1, -2, 1. */
const highPass = { a: [-1.99004745483398, 0.99007225036621] } as const

/** Loudness is measured in blocks of four steps. A block begins at each step. */
const stepSamples = 0.1 * soundRate
const stepsPerBlock = 4
/**
 * Gates of the standard: an absolute gate for silent blocks, followed by a relative gate for blocks
 * that are this much quieter than the mean of the rest.
 */
const silenceLufs = -70
const relativeGateLu = 10

/**
 * Returns the integrated loudness in LUFS. The gates of the standard exclude pauses, so pauses do
 * not lower the result.
 */
export function measureLoudness({ left, right }: Sound): number {
  const [leftSteps, rightSteps] = [weightedPowers(left), weightedPowers(right)]
  const steps = leftSteps.map((power, index) => power + (rightSteps[index] ?? 0))
  const length = Math.min(stepsPerBlock, steps.length)
  const blocks = steps.slice(0, steps.length - length + 1).map((_, first) => meanOf(steps.slice(first, first + length)))
  const heard = blocks.filter((power) => toLufs(power) > silenceLufs)
  const gate = toLufs(meanOf(heard)) - relativeGateLu
  return toLufs(meanOf(heard.filter((power) => toLufs(power) > gate)))
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Returns the mean power of each whole step, or of all samples if they fill less than one step. The
 * loop is flat because it runs for every sample of a video.
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

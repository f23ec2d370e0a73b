import { describe, expect, it } from 'vitest'
import { composeAmbience } from './compose-ambience.ts'
import { measureLoudness } from './loudness.ts'

const prompts = [
  'rain',
  'the sea',
  'a campfire',
  'deep space',
  'a city',
  'night',
  'a forest',
  'wind',
  'an unknown prompt',
  'a room',
  'a waterfall',
  'a river',
]

/**
 * A click exceeds this difference between two successive samples. The sharpest raindrop does not.
 */
const stepMax = 0.75

describe('the sound of a video', () => {
  it.each(prompts)('the ambience for "%s" has -19.7 LUFS, no clipping or clicks, and starts and ends at zero', (prompt) => {
    const sound = composeAmbience({ prompt, seed: 7 }, 3)
    expect(measureLoudness(sound)).toBeCloseTo(-19.7, 1)
    for (const side of [sound.left, sound.right]) {
      expect(side).toHaveLength(3 * 48_000)
      let [peak, step, previousSample] = [0, 0, 0]
      for (const sample of side) {
        peak = Math.max(peak, Math.abs(sample))
        step = Math.max(step, Math.abs(sample - previousSample))
        previousSample = sample
      }
      expect(peak).toBeLessThan(0.67)
      expect(step).toBeLessThan(stepMax)
      expect(Math.abs(side[0]!)).toBe(0)
      expect(Math.abs(side.at(-1) ?? 1)).toBe(0)
    }
  })

  it('the sound of a video depends on the seed, and its two sides differ', () => {
    const [first, repeated, otherSeed] = [7, 7, 8].map((seed) => composeAmbience({ prompt: 'rain', seed }, 1))
    expect(repeated).toEqual(first)
    expect(otherSeed!.left).not.toEqual(first!.left)
    expect(first!.left).not.toEqual(first!.right)
  })

  it('the sound of rain is brighter than the sound of a city', () => {
    const [rain, city] = ['rain', 'a city'].map((prompt) => composeAmbience({ prompt, seed: 7 }, 1))
    expect(brightnessOf(rain!.left)).toBeGreaterThan(4 * brightnessOf(city!.left))
  })

  it('the clock of a room ticks twice a second until the end of the video', () => {
    const seconds = 4
    const { left } = composeAmbience({ prompt: 'a room', seed: 7 }, seconds)
    // A tick is short and high, so successive samples differ much.
    const differencePowerAt = (startSeconds: number) => {
      const samples = left.subarray(startSeconds * 48_000, (startSeconds + 0.02) * 48_000)
      return samples.reduce((power, sample, index) => power + (sample - (samples[index - 1] ?? sample)) ** 2, 0)
    }
    for (let tick = 0.5; tick < seconds; tick += 0.5) {
      expect(differencePowerAt(tick), `${tick} s`).toBeGreaterThan(4 * differencePowerAt(tick - 0.25))
    }
  })

  it('measureLoudness follows ITU-R BS.1770: a full-scale 997 Hz sine in one channel measures -3.01 LUFS', () => {
    const left = Float32Array.from({ length: 48_000 }, (_, index) => Math.sin((2 * Math.PI * 997 * index) / 48_000))
    expect(measureLoudness({ left, right: new Float32Array(48_000) })).toBeCloseTo(-3.01, 1)
  })

  it('measureLoudness hardly counts pauses', () => {
    const left = Float32Array.from({ length: 480_000 }, (_, index) =>
      index % 96_000 < 48_000 ? Math.sin((2 * Math.PI * 997 * index) / 48_000) / 10 : 0,
    )
    const loudness = measureLoudness({ left, right: new Float32Array(480_000) })
    // The tone alone has -23.01 LUFS. Blocks that partly overlap a pause are counted, so the result
    // is a little lower. Without the gate, it would be about 3 LU lower.
    expect(loudness).toBeGreaterThan(-24.3)
    expect(loudness).toBeLessThan(-23.01)
  })
})

/**
 * Returns the power of the first difference of the signal relative to the power of the signal. It
 * grows with the frequency.
 */
function brightnessOf(samples: Float32Array): number {
  let [differencePower, signalPower] = [0, 0]
  for (const [index, sample] of samples.entries()) {
    differencePower += (sample - (samples[index - 1] ?? 0)) ** 2
    signalPower += sample ** 2
  }
  return differencePower / signalPower
}

import { soundRate, type Sound } from '../video/sound-encoder.ts'
import { clamp } from '../picture/curves.ts'
import { hashText } from '../picture/random.ts'
import { chooseAmbiences } from './choose-ambiences.ts'
import { measureLoudness } from './loudness.ts'

/** The target of a finished video is -20 LUFS. Encoding reduces the loudness by up to 0.5 LU. */
const targetLufs = -19.7
const fadeInSecondsMax = 0.6
const fadeOutSecondsMax = 0.9
/** Maximum share of a short video for each fade, so that most of its sound is kept. */
const fadeShareMax = 0.12
/** The encoder adds up to 2 dB to peaks. This margin keeps them 1 dB below full scale. */
const peakMax = 0.66
/**
 * Encoders discard most of the sound above this frequency. It is removed before the loudness is
 * measured, so that the video is as loud as measured.
 */
const cutoffHz = 7000
/**
 * Composes the sound of the place that a prompt describes. The same prompt, seed and length give
 * the same sound.
 */
export function composeAmbience({ prompt, seed }: { prompt: string; seed: number }, seconds: number): Sound {
  const samples = Math.round(seconds * soundRate)
  const raw = { left: new Float32Array(samples), right: new Float32Array(samples) }
  for (const ambience of chooseAmbiences(prompt)) ambience(raw, hashText('sound', seed), soundRate)
  filterLowPass(raw.left)
  filterLowPass(raw.right)
  const gain = gainFor(raw)
  // Fades and the limiter reduce the loudness a little. A second measurement corrects the gain.
  const finished = { left: finish(raw.left, gain), right: finish(raw.right, gain) }
  const corrected = gain * gainFor(finished)
  return { left: finish(raw.left, corrected), right: finish(raw.right, corrected) }
}

function gainFor(sound: Sound): number {
  return 10 ** ((targetLufs - measureLoudness(sound)) / 20)
}

/** Applies two first-order low-pass filters. */
function filterLowPass(samples: Float32Array): void {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHz) / soundRate)
  let [first, second] = [0, 0]
  for (let index = 0; index < samples.length; index++) {
    first += ((samples[index] ?? 0) - first) * share
    second += (first - second) * share
    samples[index] = second
  }
}

function finish(samples: Float32Array, gain: number): Float32Array {
  const seconds = samples.length / soundRate
  const fadeInSamples = Math.min(fadeInSecondsMax, fadeShareMax * seconds) * soundRate
  const fadeOutSamples = Math.min(fadeOutSecondsMax, fadeShareMax * seconds) * soundRate
  const end = samples.length - 1
  return samples.map((sample, index) => {
    const limited = limit(sample * gain)
    if (index >= fadeInSamples && end - index >= fadeOutSamples) return limited
    return limited * easeInOut(Math.min(1, index / fadeInSamples)) * easeInOut(clamp((end - index) / fadeOutSamples))
  })
}

/**
 * A soft limiter. It leaves ordinary samples unchanged and reduces the highest ones, so that no
 * sample clips.
 */
function limit(sample: number): number {
  const bendFrom = peakMax / 2
  const excess = Math.abs(sample) - bendFrom
  if (excess <= 0) return sample
  return Math.sign(sample) * (bendFrom + bendFrom * Math.tanh(excess / bendFrom))
}

function easeInOut(share: number): number {
  return share * share * (3 - 2 * share)
}

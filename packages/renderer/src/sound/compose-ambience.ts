import { soundRate, type Sound } from '../video/sound-encoder.ts'
import { clamp } from '../picture/curves.ts'
import { hashText } from '../picture/random.ts'
import { chooseAmbiences } from './choose-ambiences.ts'
import { measureLoudness } from './loudness.ts'

/**
 * Loudness before encoding, which reduces it by up to 0.5 LU. The target of a video is -20 LUFS.
 */
const targetLufs = -19.7
const fadeInSecondsMax = 0.6
const fadeOutSecondsMax = 0.9
/** Maximum share of a short video for each fade, so that most of its sound is kept. */
const fadeShareMax = 0.12
/** The encoder adds up to 2 dB to peaks. This margin keeps them at least 1 dB below full scale. */
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
  const sampleCount = Math.round(seconds * soundRate)
  const raw = { left: new Float32Array(sampleCount), right: new Float32Array(sampleCount) }
  for (const ambience of chooseAmbiences(prompt)) ambience(raw, hashText('sound', seed), soundRate)
  filterLowPass(raw.left)
  filterLowPass(raw.right)
  const gain = gainFor(raw)
  // Fades and the limiter reduce the loudness a little. A second measurement corrects the gain.
  const finished = { left: amplify(raw.left, gain), right: amplify(raw.right, gain) }
  const correctedGain = gain * gainFor(finished)
  return { left: amplify(raw.left, correctedGain), right: amplify(raw.right, correctedGain) }
}

/** Returns the factor that gives the sound the target loudness. */
function gainFor(sound: Sound): number {
  return 10 ** ((targetLufs - measureLoudness(sound)) / 20)
}

/** Applies two first-order low-pass filters. */
function filterLowPass(samples: Float32Array): void {
  const coefficient = 1 - Math.exp((-2 * Math.PI * cutoffHz) / soundRate)
  let [firstOutput, secondOutput] = [0, 0]
  for (let index = 0; index < samples.length; index++) {
    firstOutput += ((samples[index] ?? 0) - firstOutput) * coefficient
    secondOutput += (firstOutput - secondOutput) * coefficient
    samples[index] = secondOutput
  }
}

/** Amplifies, limits and fades one side of the sound. */
function amplify(samples: Float32Array, gain: number): Float32Array {
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
 * A soft limiter. It leaves samples up to half of `peakMax` unchanged, and reduces larger ones to
 * less than `peakMax`.
 */
function limit(sample: number): number {
  const threshold = peakMax / 2
  const excess = Math.abs(sample) - threshold
  if (excess <= 0) return sample
  return Math.sign(sample) * (threshold + threshold * Math.tanh(excess / threshold))
}

function easeInOut(progress: number): number {
  return progress * progress * (3 - 2 * progress)
}

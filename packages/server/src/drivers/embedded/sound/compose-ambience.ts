import { soundRate, type Sound } from '../film/video-encoder.ts'
import { hashText } from '../picture/random.ts'
import { chooseAmbiences } from './choose-ambiences.ts'
import { measureLoudness } from './loudness.ts'

const targetLufs = -20
const fadeInSecondsMax = 0.6
const fadeOutSecondsMax = 0.9
/** A short film keeps most of its sound. */
const fadeShareMax = 0.12
/** An AAC decoder plays a block late: the fade must be over before the pictures end. */
const silentEndSeconds = 1024 / soundRate
/** Room for what the encoder adds to peaks. */
const peakMax = 0.84

/** The sound of the place that a prompt describes: the same for the same prompt, seed and length. */
export function composeAmbience({ prompt, seed }: { prompt: string; seed: number }, seconds: number): Sound {
  const samples = Math.round(seconds * soundRate)
  const sound = { left: new Float32Array(samples), right: new Float32Array(samples) }
  for (const ambience of chooseAmbiences(prompt)) ambience(sound, hashText('sound', seed), soundRate)
  const gain = 10 ** ((targetLufs - measureLoudness(sound)) / 20)
  for (const side of [sound.left, sound.right]) finish(side, gain)
  return sound
}

function finish(samples: Float32Array, gain: number): void {
  const seconds = samples.length / soundRate
  const fadeInSamples = Math.min(fadeInSecondsMax, fadeShareMax * seconds) * soundRate
  const fadeOutSamples = Math.min(fadeOutSecondsMax, fadeShareMax * seconds) * soundRate
  const end = samples.length - silentEndSeconds * soundRate
  for (const [index, sample] of samples.entries()) {
    const rising = Math.min(1, index / fadeInSamples)
    const falling = Math.min(1, Math.max(0, end - index) / fadeOutSamples)
    samples[index] = limit(sample * gain) * smooth(rising) * smooth(falling)
  }
}

/** Leaves ordinary samples alone and bends the highest ones, so that nothing is ever cut off. */
function limit(sample: number): number {
  const bendFrom = peakMax / 2
  const over = Math.abs(sample) - bendFrom
  if (over <= 0) return sample
  return Math.sign(sample) * (bendFrom + bendFrom * Math.tanh(over / bendFrom))
}

function smooth(way: number): number {
  return way * way * (3 - 2 * way)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { clamp } from '../picture/curves.ts'
import { soundRate, type Sound } from './sound-encoder.ts'

/** The sound of a given file, and the program that decodes it. */
export interface GivenSound {
  /**
   * Command of the program. It must write interleaved stereo samples to its standard output: 32-bit
   * floats, 48 kHz.
   */
  command: readonly [string, ...string[]]
  /** Maximum duration. Later samples are ignored. */
  seconds: number
}

/** Size of one sample of both channels. */
const stereoSampleBytes = 8
/**
 * Duration of the cross-fade to the following sound, if the video is longer than the given sound.
 */
const fadeSeconds = 0.3

/**
 * Decodes a given sound. Returns undefined if the program writes no samples or cannot be started.
 * Throws the reason of the signal if the signal aborts.
 */
export async function readSound(
  { command: [program, ...args], seconds }: GivenSound,
  signal: AbortSignal,
): Promise<Sound | undefined> {
  const bytesMax = Math.round(seconds * soundRate) * stereoSampleBytes
  const { PATH = '' } = process.env
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH } })
  const spawned = once(child, 'spawn').catch(() => {})
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  try {
    await spawned
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= bytesMax) break
    }
    signal.throwIfAborted()
    const samples = Math.floor(Math.min(bytes, bytesMax) / stereoSampleBytes)
    return samples === 0 ? undefined : splitChannels(Buffer.concat(chunks), samples)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function splitChannels(bytes: Buffer, samples: number): Sound {
  const sound = { left: new Float32Array(samples), right: new Float32Array(samples) }
  for (let sample = 0; sample < samples; sample++) {
    sound.left[sample] = clampSample(bytes.readFloatLE(sample * stereoSampleBytes))
    sound.right[sample] = clampSample(bytes.readFloatLE(sample * stereoSampleBytes + stereoSampleBytes / 2))
  }
  return sound
}

/** Samples of a file can be outside -1 to 1, infinite or NaN. */
function clampSample(sample: number): number {
  return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0
}

/**
 * Returns `samples` samples: the given sound, followed by the part of the other sound from that
 * time on, or by silence.
 */
export function joinSounds(givenSound: Sound, followingSound: Sound | undefined, samples: number): Sound {
  const givenSamples = givenSound.left.length
  const fadeSamples = givenSamples < samples ? Math.min(givenSamples, Math.round(fadeSeconds * soundRate)) : 0
  const join = (givenChannel: Float32Array, followingChannel: Float32Array | undefined): Float32Array => {
    const joined = new Float32Array(samples)
    for (let sample = 0; sample < samples; sample++) {
      const givenShare = clamp(fadeSamples === 0 ? Number(sample < givenSamples) : (givenSamples - sample) / fadeSamples)
      joined[sample] = givenShare * (givenChannel[sample] ?? 0) + (1 - givenShare) * (followingChannel?.[sample] ?? 0)
    }
    return joined
  }
  return { left: join(givenSound.left, followingSound?.left), right: join(givenSound.right, followingSound?.right) }
}

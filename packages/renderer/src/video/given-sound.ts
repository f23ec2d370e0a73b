import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { soundRate, type Sound } from './sound-encoder.ts'

/** The sound of a given file, and the program that decodes it. */
export interface GivenSound {
  /** Must write interleaved stereo samples to its standard output: 32-bit floats, 48 kHz. */
  command: readonly [string, ...string[]]
  /** Longest duration to use. */
  seconds: number
}

const sampleBytes = 8
/** Duration of the cross-fade to the following sound, if the video is longer than the given sound. */
const fadeSeconds = 0.3

/** Returns undefined if the program writes no samples. Throws the reason of an aborted signal. */
export async function readSound(
  { command: [program, ...args], seconds }: GivenSound,
  signal: AbortSignal,
): Promise<Sound | undefined> {
  const bytesMax = Math.round(seconds * soundRate) * sampleBytes
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
    const samples = Math.floor(Math.min(bytes, bytesMax) / sampleBytes)
    return samples === 0 ? undefined : splitChannels(Buffer.concat(chunks), samples)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function splitChannels(bytes: Buffer, samples: number): Sound {
  const sound = { left: new Float32Array(samples), right: new Float32Array(samples) }
  for (let sample = 0; sample < samples; sample++) {
    sound.left[sample] = clampSample(bytes.readFloatLE(sample * sampleBytes))
    sound.right[sample] = clampSample(bytes.readFloatLE(sample * sampleBytes + sampleBytes / 2))
  }
  return sound
}

/** Samples of a file can be outside -1 to 1, infinite or NaN. */
function clampSample(sample: number): number {
  return Number.isFinite(sample) ? Math.max(-1, Math.min(1, sample)) : 0
}

/** Joins the given sound and the following one, or silence if there is none. */
export function joinSounds(givenSound: Sound, following: Sound | undefined, samples: number): Sound {
  const end = givenSound.left.length
  const fade = end < samples ? Math.min(end, Math.round(fadeSeconds * soundRate)) : 0
  const join = (first: Float32Array, second: Float32Array | undefined): Float32Array => {
    const joined = new Float32Array(samples)
    for (let sample = 0; sample < samples; sample++) {
      const share = Math.max(0, Math.min(1, fade === 0 ? Number(sample < end) : (end - sample) / fade))
      joined[sample] = share * (first[sample] ?? 0) + (1 - share) * (second?.[sample] ?? 0)
    }
    return joined
  }
  return { left: join(givenSound.left, following?.left), right: join(givenSound.right, following?.right) }
}

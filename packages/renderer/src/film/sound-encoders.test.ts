import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decodeFilm, power } from '../../test/decode-film.ts'
import { encodeSound as encodeByFfmpeg, ffmpegProgram } from './ffmpeg-sound.ts'
import { H264Encoder } from './h264/h264-encoder.ts'
import type { EncodeSound, Sound } from './sound-encoder.ts'
import { encodeSound as encodeByWebCodecs } from './webcodecs-sound.ts'
import { writeMp4 } from './write-mp4.ts'

const size = { width: 32, height: 32 }
const frames = 30
const signal = new AbortController().signal
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0

const encoders: [name: string, encode: EncodeSound, isHere: boolean][] = [
  ['webcodecs', encodeByWebCodecs, true],
  ['ffmpeg (skipped where it is not installed)', encodeByFfmpeg, hasFfmpeg],
]

function tone(seconds: number): Sound {
  const samples = Float32Array.from({ length: seconds * 48_000 }, (_, index) => 0.3 * Math.sin(index / 20))
  return { left: samples, right: samples.map((sample) => sample / 2) }
}

async function film(encodeSound: EncodeSound): Promise<Uint8Array> {
  const encoder = new H264Encoder()
  const config = encoder.open(size)
  encoder.take(new Uint8Array(size.width * size.height * 1.5).fill(128))
  const packets = Array.from({ length: frames }, () => encoder.encode())
  return await writeMp4({ video: { config, packets }, sound: await encodeSound(tone(frames / 24), signal) })
}

describe.each(encoders)('the sound encoder %s', (_name, encodeSound, isHere) => {
  it.skipIf(!isHere)('encoded sound keeps both channels apart and lasts exactly as long as the video', async () => {
    const { sound } = await decodeFilm(await film(encodeSound))
    expect(sound?.seconds).toBeCloseTo(frames / 24, 3)
    const [left, right] = [power(sound!.left.subarray(4800, 48_000)), power(sound!.right.subarray(4800, 48_000))]
    expect(left).toBeGreaterThan(0.18)
    expect(left / right).toBeGreaterThan(1.8)
    expect(left / right).toBeLessThan(2.2)
  })

  it.skipIf(!isHere)('the same sound is encoded to the same bytes', async () => {
    expect(await film(encodeSound)).toEqual(await film(encodeSound))
  })

  it.skipIf(!isHere)('an aborted sound encoding rejects', async () => {
    await expect(encodeSound(tone(60), AbortSignal.abort(new Error('stopped')))).rejects.toThrow()
  })
})

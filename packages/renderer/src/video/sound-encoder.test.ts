import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { decodeVideo, rootMeanSquare } from '../../test/decode-video.ts'
import { H264Encoder } from './h264/h264-encoder.ts'
import { encodeSound, soundRate, type Sound } from './sound-encoder.ts'
import { writeMp4 } from './write-mp4.ts'

const ffmpegProgram = 'ffmpeg'
const size = { width: 32, height: 32 }
const frames = 30
const seconds = frames / 24
const { signal } = new AbortController()
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0

/** Returns a tone whose frequency rises, so that no two moments are alike. */
function risingTone(lengthSeconds: number): Sound {
  const left = Float32Array.from({ length: lengthSeconds * soundRate }, (_, sample) => {
    const timeSeconds = sample / soundRate
    return 0.3 * Math.sin(2 * Math.PI * (300 + 500 * timeSeconds) * timeSeconds)
  })
  return { left, right: left.map((sample) => sample / 2) }
}

async function encodeVideoWith(sound: Sound): Promise<Uint8Array> {
  const encoder = new H264Encoder()
  const config = encoder.open(size)
  encoder.copyFrame(new Uint8Array(size.width * size.height * 1.5).fill(128))
  const packets = Array.from({ length: frames }, () => encoder.encode())
  return await writeMp4({ video: { config, packets }, sound: await encodeSound(sound, signal) })
}

/** Returns the signal-to-noise ratio in decibels. */
function signalToNoise(original: Float32Array, decoded: Float32Array): number {
  return (
    20 * Math.log10(rootMeanSquare(original) / rootMeanSquare(original.map((sample, index) => sample - (decoded[index] ?? 0))))
  )
}

it('encoded sound starts and ends with the video, and its two channels are separate', async () => {
  const original = risingTone(seconds)
  const { sound } = await decodeVideo(await encodeVideoWith(original))
  expect(sound?.seconds).toBeCloseTo(seconds, 3)
  expect(signalToNoise(original.left, sound!.left)).toBeGreaterThan(20)
  expect(signalToNoise(original.right, sound!.right)).toBeGreaterThan(20)
})

it.skipIf(!hasFfmpeg)('ffmpeg decodes encoded sound from its first sample on, without the priming', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-sound-'))
  try {
    const original = risingTone(seconds)
    const file = path.join(folder, 'video.mp4')
    writeFileSync(file, await encodeVideoWith(original))
    const decoding = ['-loglevel', 'error', '-i', file, '-map', '0:a', '-af', 'pan=mono|c0=c0', '-f', 'f32le', 'pipe:1']
    const { stdout, stderr } = spawnSync(ffmpegProgram, decoding)
    expect(String(stderr)).toBe('')
    const decoded = new Float32Array(Uint8Array.from(stdout).buffer)
    expect(signalToNoise(original.left, decoded)).toBeGreaterThan(20)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('the same sound is encoded to the same bytes', async () => {
  expect(await encodeVideoWith(risingTone(seconds))).toEqual(await encodeVideoWith(risingTone(seconds)))
})

it('a sound with the length of one and a half packets is encoded as a priming packet and two more packets', async () => {
  const { packets } = await encodeSound(risingTone(1500 / soundRate), signal)
  expect(packets).toHaveLength(3)
})

it('the encoding of sound stops when its signal aborts', async () => {
  const stopping = new AbortController()
  const encoding = encodeSound(risingTone(60), stopping.signal)
  setTimeout(() => stopping.abort(new Error('stopped')), 20)
  await expect(encoding).rejects.toThrow('stopped')
})

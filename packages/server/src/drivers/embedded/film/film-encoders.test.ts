import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decodeFilm, power, psnr } from '../../../../test/decode-film.ts'
import { createFfmpegEncoder } from './ffmpeg-encoder.ts'
import { ffmpegProgram } from '../../../lib/ffmpeg-program.ts'
import type { FilmEncoder, Sound } from './video-encoder.ts'
import { createWebCodecsEncoder } from './webcodecs-encoder.ts'
import { writeMp4 } from './write-mp4.ts'

const size = { width: 330, height: 190 }
const frames = 30
const signal = new AbortController().signal
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0

const encoders: [name: string, create: () => FilmEncoder, isHere: boolean][] = [
  ['webcodecs', createWebCodecsEncoder, true],
  ['ffmpeg (skipped where it is not installed)', createFfmpegEncoder, hasFfmpeg],
]

/** A soft slope that brightens with every frame, in one colour. */
function frameOf(index: number): Uint8Array {
  const { width, height } = size
  const luma = width * height
  return Uint8Array.from({ length: luma * 1.5 }, (_, at) => {
    if (at < luma) return 40 + Math.floor(((at % width) / width) * 100) + index * 2
    return at < luma * 1.25 ? 100 : 160
  })
}

function tone(seconds: number): Sound {
  const samples = Float32Array.from({ length: seconds * 48_000 }, (_, index) => 0.3 * Math.sin(index / 20))
  return { left: samples, right: samples.map((sample) => sample / 2) }
}

async function film(encoder: FilmEncoder, withSound: boolean): Promise<Uint8Array> {
  const video = await encoder.openVideo(size, signal)
  try {
    for (let index = 0; index < frames; index++) await video.encode(frameOf(index))
    const sound = withSound ? await encoder.encodeSound(tone(frames / 24), signal) : undefined
    return await writeMp4({ video: await video.finish(), ...(sound && { sound }) })
  } finally {
    video.close()
  }
}

describe.each(encoders)('%s', (_name, create, isHere) => {
  it.skipIf(!isHere)('shows every frame as it was given, in a size that is no multiple of sixteen', async () => {
    const decoded = await decodeFilm(await film(create(), false))
    expect([decoded.width, decoded.height]).toEqual([size.width, size.height])
    expect(decoded.frames).toHaveLength(frames)
    expect(decoded.videoSeconds).toBeCloseTo(frames / 24, 6)
    expect(decoded.codec).toMatch(/^avc1\.64/)
    expect(decoded.colorSpace).toEqual({ primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false })
    for (const [index, frame] of decoded.frames.entries()) {
      expect(psnr(frame, frameOf(index), frame.length)).toBeGreaterThan(36)
    }
  })

  it.skipIf(!isHere)('keeps left and right, exactly as long as the pictures', async () => {
    const { sound } = await decodeFilm(await film(create(), true))
    expect(sound?.seconds).toBeCloseTo(frames / 24, 3)
    const [left, right] = [power(sound!.left.subarray(4800, 48_000)), power(sound!.right.subarray(4800, 48_000))]
    expect(left).toBeGreaterThan(0.18)
    expect(left / right).toBeGreaterThan(1.8)
    expect(left / right).toBeLessThan(2.2)
  })

  it.skipIf(!isHere)('makes the same bytes of the same frames', async () => {
    expect(await film(create(), true)).toEqual(await film(create(), true))
  })

  it.skipIf(!isHere)('gives up in the middle when it is stopped', async () => {
    const stopping = new AbortController()
    const video = await create().openVideo({ width: 1920, height: 1080 }, stopping.signal)
    const frame = new Uint8Array(1920 * 1080 * 1.5)
    await video.encode(frame)
    stopping.abort()
    await expect(
      (async () => {
        for (let index = 0; index < 100; index++) await video.encode(frame)
      })(),
    ).rejects.toThrow()
    video.close()
  })
})

it('says what to do when there is no ffmpeg', async () => {
  const script = `
    import { requireEncoder } from ${JSON.stringify(new URL('./require-encoder.ts', import.meta.url).href)}
    await requireEncoder('ffmpeg').catch(({ message }) => console.log(message))
  `
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: { PATH: '/nowhere' } })
  expect(String(stdout)).toContain('there is no ffmpeg on PATH; install it or choose "webcodecs"')
})

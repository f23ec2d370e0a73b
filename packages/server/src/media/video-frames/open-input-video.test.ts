import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mediaSample } from '../../../test/media-samples.ts'
import { packetVideo } from '../../../test/packet-video.ts'
import { createDecodeImageFile } from '../decode-image-file.ts'
import { DecoderPool } from '../decoder/decoder-pool.ts'
import { createInputProbers } from '../prober/input-probers.ts'
import { createOpenInputVideo, type OpenInputVideo } from './open-input-video.ts'

vi.setConfig({ testTimeout: 120_000 })

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const { signal } = new AbortController()
const log = { warn: () => {} }
const decoders = new DecoderPool({ log })
const probers = createInputProbers(log)

let folder: string
let open: OpenInputVideo
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-frames-'))
  open = createOpenInputVideo({
    fetchUntrusted: async (url) => ({
      stream: Readable.from([await files[url]?.()]),
      contentType: null,
      finalUrl: url,
      status: 200,
    }),
    openAssetFile: async () => Readable.from([mediaSample('mov')]),
    probeInput: probers.probeInput,
    decodeImageFile: createDecodeImageFile(decoders),
    scratchDir: folder,
  })
})
afterEach(() => {
  vi.unstubAllEnvs()
  expect(readdirSync(path.join(folder, 'video-frames'))).toEqual([])
})
afterAll(async () => {
  await decoders[Symbol.asyncDispose]()
  await probers[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const files: Record<string, () => Buffer | Promise<Buffer>> = {
  'https://example.com/clip.mp4': () => mediaSample('mp4'),
  'https://example.com/song.mp3': () => mediaSample('mp3'),
  'https://example.com/page': () => Buffer.from('<html>'),
  // The packets of this file contain no images.
  'https://example.com/empty.mp4': () => packetVideo(),
}
const asset = 'asset:asset_0197c0de00007000800000000000abcd'
const options = { position: 'reference_videos/0', signal }
const smallSize = { width: 160, height: 120 }

function expectBlue([red = 0, green = 0, blue = 0]: Uint8Array): void {
  expect(blue).toBeGreaterThan(200)
  expect(Math.max(red, green)).toBeLessThan(60)
}

describe.runIf(hasFfmpeg)('the frames of a video, with ffmpeg', () => {
  it.each(['https://example.com/clip.mp4', `data:video/webm;base64,${mediaSample('webm').toString('base64')}`, asset])(
    'the last frame of %s is scaled and cropped to the requested size',
    async (source) => {
      await using video = await open(source, options)
      expect([video.size, video.seconds]).toEqual([{ width: 320, height: 240 }, 2])
      const { width, height, rgba } = await video.lastFrame({ width: 160, height: 90 })
      expect([width, height]).toEqual([160, 90])
      expectBlue(rgba)
    },
  )

  it('the first frames of a video are scaled down, and there are at most as many as the video has', async () => {
    await using video = await open('https://example.com/clip.mp4', options)
    const clip = await video.firstFrames({ frames: 10, framesPerSecond: 12, pixelsMax: 160 * 120 })
    expect(clip).toMatchObject({ ...smallSize, frames: 10 })
    expect(clip.rgba).toHaveLength(10 * 160 * 120 * 4)
    expectBlue(clip.rgba.subarray(-4))
    expect((await video.firstFrames({ frames: 99, framesPerSecond: 12, pixelsMax: 1e6 })).frames).toBe(24)
  })

  it('the decoding command of a video writes all of its frames in the requested size', async () => {
    await using video = await open('https://example.com/clip.mp4', options)
    const [program, ...args] = video.videoFramesCommand({ width: 96, height: 54, frames: 48, framesPerSecond: 24 })
    const { status, stdout } = spawnSync(program, args, { maxBuffer: 1e8 })
    expect([status, stdout.length]).toEqual([0, 48 * 96 * 54 * 1.5])
    // Blue in limited-range BT.709.
    expect(stdout[0]).toBeLessThan(50)
    expect(stdout[96 * 54]).toBeGreaterThan(220)
  })

  it('the error for a video whose packets cannot be decoded names its position', async () => {
    await using video = await open('https://example.com/empty.mp4', options)
    const refused = { name: 'InvalidImage', code: 'damaged', position: 'reference_videos/0' }
    await expect(video.lastFrame(smallSize)).rejects.toMatchObject(refused)
    await expect(video.firstFrames({ frames: 2, framesPerSecond: 24, pixelsMax: 1000 })).rejects.toMatchObject(refused)
  })
})

it('a frame of a video is rejected without ffmpeg, and the error names the reason', async () => {
  vi.stubEnv('PATH', folder)
  await using video = await open('https://example.com/clip.mp4', options)
  await expect(video.lastFrame(smallSize)).rejects.toMatchObject({
    code: 'no_decoder',
    message: expect.stringContaining('ffmpeg'),
  })
})

it.each(['https://example.com/page', 'https://example.com/song.mp3'])(
  'a file that is not a video is rejected: %s',
  async (source) => {
    await expect(open(source, options)).rejects.toMatchObject({ name: 'InvalidImage', position: 'reference_videos/0' })
  },
)

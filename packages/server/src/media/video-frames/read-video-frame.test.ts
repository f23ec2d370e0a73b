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
import { createReadVideoFrame, type ReadVideoFrame } from './read-video-frame.ts'

vi.setConfig({ testTimeout: 120_000 })

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const { signal } = new AbortController()
const log = { warn: () => {} }
const decoders = new DecoderPool({ log })
const probers = createInputProbers(log)

let folder: string
let readFrame: ReadVideoFrame
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-frames-'))
  readFrame = createReadVideoFrame({
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
  // Its packets hold no pictures.
  'https://example.com/empty.mp4': () => packetVideo(),
}
const asset = 'asset:asset_0197c0de00007000800000000000abcd'
const wanted = { fit: 'inside', width: 160, height: 160, position: 'reference_videos/0', signal } as const

describe.runIf(hasFfmpeg)('a frame of a video, with ffmpeg', () => {
  it.each([
    ['https://example.com/clip.mp4', 'first'],
    ['https://example.com/clip.mp4', 'last'],
    [`data:video/webm;base64,${mediaSample('webm').toString('base64')}`, 'first'],
    [asset, 'last'],
  ] as const)('the frame of %s is decoded (%s)', async (source, which) => {
    const { width, height, rgba, whole } = await readFrame(source, { ...wanted, which })
    expect([width, height, whole]).toEqual([160, 120, { width: 320, height: 240 }])
    const [red = 0, green = 0, blue = 0] = rgba
    expect(blue).toBeGreaterThan(200)
    expect(Math.max(red, green)).toBeLessThan(60)
  })

  it('a video whose packets cannot be decoded is refused with its position', async () => {
    const reading = readFrame('https://example.com/empty.mp4', { ...wanted, which: 'first' })
    await expect(reading).rejects.toMatchObject({ name: 'ImageRefusal', code: 'damaged', position: 'reference_videos/0' })
  })
})

it('a frame of a video without ffmpeg is a gray card of its shape', async () => {
  vi.stubEnv('PATH', folder)
  const { width, height, rgba } = await readFrame('https://example.com/clip.mp4', { ...wanted, which: 'first' })
  expect([width, height, [...rgba.subarray(0, 4)]]).toEqual([320, 240, [96, 96, 96, 255]])
})

it.each(['https://example.com/page', 'https://example.com/song.mp3'])(
  'a file that is no video is refused: %s',
  async (source) => {
    const reading = readFrame(source, { ...wanted, which: 'first' })
    await expect(reading).rejects.toMatchObject({ name: 'ImageRefusal', position: 'reference_videos/0' })
  },
)

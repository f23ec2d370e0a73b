import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ffmpegProgram } from '../src/watermark/ffmpeg-program.ts'
import { probeMedia } from '../src/media/probe-media.ts'
import { createDrawWatermark } from '../src/watermark/draw-watermark.ts'
import { productWatermark as design, type WatermarkDesign } from '../src/watermark/watermark-design.ts'
import { letters } from '../src/watermark/watermark-letters.ts'
import { placeWatermark } from '../src/watermark/watermark-shape.ts'
import { decodeVideo, psnr } from '../../renderer/test/decode-video.ts'
import { packetVideo } from './packet-video.ts'
import { plainVideo, plainVideoSize } from '../../renderer/test/plain-video.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-watermark-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ways = {
  webcodecs: createDrawWatermark({ encoder: 'webcodecs' }),
  ffmpeg: createDrawWatermark({ encoder: 'ffmpeg' }),
}
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0
const { signal } = new AbortController()
const at = (name: string): string => path.join(folder, name)

async function marked(kind: 'image' | 'video', file: Buffer, draw = ways.webcodecs, mark = design): Promise<Buffer> {
  await writeFile(at('from'), file)
  await draw({ kind, ...plainVideoSize }, { from: at('from'), to: at('to'), design: mark }, signal)
  return readFile(at('to'))
}

function blue(): Sharp {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#204080' } })
}

function rgbOf(file: Buffer): Promise<Buffer> {
  return sharp(file).removeAlpha().raw().toBuffer()
}

describe('a watermark on an image', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('a watermark is at the bottom right of a %s only', async (format) => {
    const before = await blue().toFormat(format, { quality: 100 }).toBuffer()
    const after = await marked('image', before)
    expect(await sharp(after).metadata()).toMatchObject({ format, width: 800, height: 600 })
    const place = placeWatermark({ width: 800, height: 600 })
    const [a, b] = [await rgbOf(before), await rgbOf(after)]
    let inside = 0
    let outside = 0
    for (let pixel = 0; pixel < 800 * 600; pixel++) {
      const [x, y] = [pixel % 800, Math.floor(pixel / 800)]
      const isInside = x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height
      // A lossy format may spread the mark into the adjacent block of pixels.
      const isFar = x < place.x - 16 || y < place.y - 16 || x >= place.x + place.width + 16 || y >= place.y + place.height + 16
      const difference = Math.abs((a[pixel * 3] ?? 0) - (b[pixel * 3] ?? 0))
      if (isInside && difference > 60) inside++
      if (isFar) outside = Math.max(outside, difference)
    }
    expect(inside).toBeGreaterThan(300)
    expect(outside).toBeLessThanOrEqual(format === 'png' ? 0 : 3)
  })

  it('a watermark keeps transparency and the orientation that the metadata of an image sets', async () => {
    const clear = sharp({ create: { width: 300, height: 400, channels: 4, background: '#00000000' } })
    const { data, info } = await sharp(await marked('image', await clear.png().toBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.channels, data[3]]).toEqual([4, 0])
    const turned = await marked('image', await blue().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    await writeFile(at('turned'), turned)
    expect(await probeMedia(at('turned'))).toMatchObject({ width: 600, height: 800 })
  })

  it('a watermark on a file that is not an image is rejected', async () => {
    await expect(marked('image', Buffer.from('<html>'))).rejects.toMatchObject({
      name: 'WatermarkError',
      message: expect.stringContaining('the watermark could not be drawn') as string,
    })
  })

  it.each([
    ['image', 'webcodecs', () => blue().png().toBuffer()],
    ['video', 'webcodecs', () => plainVideo()],
    ['video', 'ffmpeg', () => plainVideo()],
  ] as const)('a watermarked %s that %s cannot write is reported as an error of the machine', async (kind, way, make) => {
    if (way === 'ffmpeg' && !hasFfmpeg) return
    await writeFile(at('from'), await make())
    const drawing = ways[way]({ kind, ...plainVideoSize }, { from: at('from'), to: at('missing/to'), design }, signal)
    const message: unknown = expect.stringMatching(/ENOENT|No such file or directory/)
    await expect(drawing).rejects.toMatchObject({ name: 'Error', message })
  })
})

function count(rgb: Buffer, is: (red: number, green: number, blue: number) => boolean): number {
  let found = 0
  for (let at = 0; at < rgb.length; at += 3) if (is(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0)) found++
  return found
}

const isRed = (red: number, green: number, blue: number): boolean => red > 180 && green < 80 && blue < 80
const isGreen = (red: number, green: number, blue: number): boolean => green > 180 && red < 80 && blue < 80
const isWhite = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) > 215

const pixels = async (mark: WatermarkDesign) => rgbOf(await marked('image', await blue().png().toBuffer(), ways.webcodecs, mark))

describe('a watermark of a brand', () => {
  const red = { width: 2, height: 1, rgba: Uint8Array.from([255, 0, 0, 255, 255, 0, 0, 255]) }
  const size = { width: 800, height: 600 }
  it('a watermark has the name of the brand, and its logo or a dot in its color', async () => {
    const logo = await pixels({ text: 'NORTH', color: '#00ff00', sign: red })
    expect(count(logo, isRed)).toBeGreaterThan(60)
    expect(count(logo, isGreen)).toBe(0)
    expect(count(logo, isWhite)).toBeGreaterThan(100)
    const dot = await pixels({ text: 'NORTH', color: '#00ff00', sign: 'dot' })
    expect([count(dot, isRed), count(dot, isGreen) > 40, count(dot, isWhite) > 100]).toEqual([0, true, true])
    const bare = await pixels({ text: '', color: '#00ff00', sign: 'dot' })
    expect([count(bare, isGreen) > 40, count(bare, isWhite)]).toEqual([true, 0])
  })

  it('a watermark is as wide as its name requires, and no wider than half a narrow image', () => {
    const short = placeWatermark(size, { text: 'A', color: null, sign: 'dot' })
    const long = placeWatermark(size, { text: 'W'.repeat(24), color: null, sign: 'dot' })
    expect(short.width).toBeLessThan(long.width / 5)
    expect(long.width).toBeLessThanOrEqual(size.width / 2 + 20)
    expect(long.x + long.width).toBeLessThanOrEqual(size.width)
  })

  it('the letters of a watermark have one height for every supported character', () => {
    for (const [character, { width, lines }] of Object.entries(letters)) {
      for (const line of lines) {
        expect(line.length % 2, character).toBe(0)
        const inside = line.every(
          (value, index) => value >= -0.05 && value <= (index % 2 === 0 ? Math.max(width, 0.04) + 0.01 : 1.05),
        )
        expect(inside, character).toBe(true)
      }
    }
  })
})

describe.each([
  ['webcodecs', true],
  ['ffmpeg', hasFfmpeg],
] as const)('a watermark on a video by %s', (encoder, isHere) => {
  const draw = ways[encoder]

  it.skipIf(!isHere)('a watermark is drawn on every frame, at the same times, with the same sound', async () => {
    const video = await plainVideo()
    const before = await decodeVideo(video)
    const after = await decodeVideo(await marked('video', video, draw))
    expect(after).toMatchObject({
      ...plainVideoSize,
      timestampsSeconds: before.timestampsSeconds,
      videoSeconds: before.videoSeconds,
    })
    expect(after.frames).toHaveLength(24)
    expect(after.sound).toEqual(before.sound)
    const { width } = plainVideoSize
    const place = placeWatermark(plainVideoSize)
    const untouched = width * (place.y - 16)
    for (const [index, frame] of after.frames.entries()) {
      const original = before.frames[index] ?? frame
      expect(psnr(original, frame, untouched)).toBeGreaterThan(38)
      const bright = Array.from({ length: place.height }, (_, row) => {
        const start = (place.y + row) * width + place.x
        return frame.subarray(start, start + place.width).filter((luma) => luma > 215).length
      })
      expect(bright.reduce((sum, pixels) => sum + pixels, 0)).toBeGreaterThan(100)
    }
  })

  it.skipIf(!isHere)('a watermark is drawn on a video without sound', async () => {
    const after = await marked('video', await plainVideo({ withSound: false }), draw)
    await writeFile(at('video'), after)
    expect(await probeMedia(at('video'))).toMatchObject({ contentType: 'video/mp4', hasAudio: false, frames: 24 })
  })

  it.skipIf(!isHere)('a watermark is rejected where the video cannot be decoded', async () => {
    await expect(marked('video', await packetVideo(), draw)).rejects.toMatchObject({ name: 'WatermarkError' })
  })

  it.skipIf(!isHere)('the drawing of a watermark stops immediately when it is aborted or its time is over', async () => {
    await writeFile(at('from'), await plainVideo({ seconds: 4 }))
    const stop = new AbortController()
    const video = { kind: 'video', ...plainVideoSize } as const
    const drawing = draw(video, { from: at('from'), to: at('to'), design }, stop.signal)
    stop.abort(new Error('the task was cancelled'))
    await expect(drawing).rejects.toThrow('the task was cancelled')
    const inNoTime = createDrawWatermark({ encoder, msMax: 1 })
    await expect(inNoTime(video, { from: at('from'), to: at('to'), design }, signal)).rejects.toThrow('SIGKILL')
  })
})

it.skipIf(!hasFfmpeg)('a watermark is drawn on a video of ten bits', async () => {
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=24',
    '-t',
    '1',
    '-c:v',
    'libvpx-vp9',
    '-pix_fmt',
    'yuv420p10le',
  ]
  spawnSync(ffmpegProgram, ['-loglevel', 'error', ...source, at('deep.webm')])
  const video = await decodeVideo(await marked('video', await readFile(at('deep.webm'))))
  expect(video).toMatchObject({ ...plainVideoSize, codec: expect.stringMatching(/^avc1/) })
  expect(video.frames).toHaveLength(24)
})

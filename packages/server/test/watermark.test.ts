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
import { watermarkPixels } from '../src/watermark/watermark-pixels.ts'
import { placeWatermark } from '../src/watermark/watermark-shape.ts'
import { decodeVideo, psnr } from '../../renderer/test/decode-video.ts'
import { packetVideo } from './packet-video.ts'
import { plainVideo, plainVideoSize } from '../../renderer/test/plain-video.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-watermark-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const drawFunctions = {
  webcodecs: createDrawWatermark({ encoder: 'webcodecs' }),
  ffmpeg: createDrawWatermark({ encoder: 'ffmpeg' }),
}
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0
const { signal } = new AbortController()
const pathOf = (name: string): string => path.join(folder, name)

async function addWatermark(
  kind: 'image' | 'video',
  file: Buffer,
  draw = drawFunctions.webcodecs,
  mark = design,
): Promise<Buffer> {
  await writeFile(pathOf('from'), file)
  await draw({ kind, ...plainVideoSize }, { from: pathOf('from'), to: pathOf('to'), design: mark }, signal)
  return readFile(pathOf('to'))
}

function blueImage(): Sharp {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#204080' } })
}

function rgbOf(file: Buffer): Promise<Buffer> {
  return sharp(file).removeAlpha().raw().toBuffer()
}

describe('a watermark on an image', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('a watermark changes only the bottom right of a %s', async (format) => {
    const imageBefore = await blueImage().toFormat(format, { quality: 100 }).toBuffer()
    const imageAfter = await addWatermark('image', imageBefore)
    expect(await sharp(imageAfter).metadata()).toMatchObject({ format, width: 800, height: 600 })
    const placement = placeWatermark({ width: 800, height: 600 })
    const [rgbBefore, rgbAfter] = [await rgbOf(imageBefore), await rgbOf(imageAfter)]
    let insideCount = 0
    let outsideMax = 0
    for (let pixel = 0; pixel < 800 * 600; pixel++) {
      const [x, y] = [pixel % 800, Math.floor(pixel / 800)]
      const isInside =
        x >= placement.x && x < placement.x + placement.width && y >= placement.y && y < placement.y + placement.height
      // A lossy format may spread the mark into the adjacent block of pixels.
      const isFar =
        x < placement.x - 16 ||
        y < placement.y - 16 ||
        x >= placement.x + placement.width + 16 ||
        y >= placement.y + placement.height + 16
      const difference = Math.abs((rgbBefore[pixel * 3] ?? 0) - (rgbAfter[pixel * 3] ?? 0))
      if (isInside && difference > 60) insideCount++
      if (isFar) outsideMax = Math.max(outsideMax, difference)
    }
    expect(insideCount).toBeGreaterThan(300)
    expect(outsideMax).toBeLessThanOrEqual(format === 'png' ? 0 : 3)
  })

  it('a watermark keeps transparency and the orientation that the metadata of an image sets', async () => {
    const clear = sharp({ create: { width: 300, height: 400, channels: 4, background: '#00000000' } })
    const { data, info } = await sharp(await addWatermark('image', await clear.png().toBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.channels, data[3]]).toEqual([4, 0])
    const rotated = await addWatermark('image', await blueImage().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    await writeFile(pathOf('rotated'), rotated)
    expect(await probeMedia(pathOf('rotated'))).toMatchObject({ width: 600, height: 800 })
  })

  it('a watermark on a file that is not an image is rejected', async () => {
    await expect(addWatermark('image', Buffer.from('<html>'))).rejects.toMatchObject({
      name: 'WatermarkError',
      message: expect.stringContaining('the watermark could not be drawn') as string,
    })
  })

  it.each([
    ['image', 'webcodecs', () => blueImage().png().toBuffer()],
    ['video', 'webcodecs', () => plainVideo()],
    ['video', 'ffmpeg', () => plainVideo()],
  ] as const)('a watermarked %s that %s cannot write is reported as an error of the machine', async (kind, encoder, make) => {
    if (encoder === 'ffmpeg' && !hasFfmpeg) return
    await writeFile(pathOf('from'), await make())
    const drawing = drawFunctions[encoder](
      { kind, ...plainVideoSize },
      { from: pathOf('from'), to: pathOf('missing/to'), design },
      signal,
    )
    const message: unknown = expect.stringMatching(/ENOENT|No such file or directory/)
    await expect(drawing).rejects.toMatchObject({ name: 'Error', message })
  })
})

function countPixels(rgb: Buffer, matches: (red: number, green: number, blue: number) => boolean): number {
  let matchCount = 0
  for (let offset = 0; offset < rgb.length; offset += 3)
    if (matches(rgb[offset] ?? 0, rgb[offset + 1] ?? 0, rgb[offset + 2] ?? 0)) matchCount++
  return matchCount
}

const isRed = (red: number, green: number, blue: number): boolean => red > 180 && green < 80 && blue < 80
const isGreen = (red: number, green: number, blue: number): boolean => green > 180 && red < 80 && blue < 80
const isWhite = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) > 215

const pixels = async (mark: WatermarkDesign) =>
  rgbOf(await addWatermark('image', await blueImage().png().toBuffer(), drawFunctions.webcodecs, mark))

describe('a watermark of a brand', () => {
  const red = { width: 2, height: 1, rgba: Uint8Array.from([255, 0, 0, 255, 255, 0, 0, 255]) }
  const size = { width: 800, height: 600 }
  it('a watermark has the name of the brand, and its logo or a dot in its color', async () => {
    const logo = await pixels({ text: 'NORTH', color: '#00ff00', sign: red })
    expect(countPixels(logo, isRed)).toBeGreaterThan(60)
    expect(countPixels(logo, isGreen)).toBe(0)
    expect(countPixels(logo, isWhite)).toBeGreaterThan(100)
    const dot = await pixels({ text: 'NORTH', color: '#00ff00', sign: 'dot' })
    expect([countPixels(dot, isRed), countPixels(dot, isGreen) > 40, countPixels(dot, isWhite) > 100]).toEqual([0, true, true])
    const bareMark = await pixels({ text: '', color: '#00ff00', sign: 'dot' })
    expect([countPixels(bareMark, isGreen) > 40, countPixels(bareMark, isWhite)]).toEqual([true, 0])
  })

  it('a watermark is as wide as its name requires, and no wider than half a narrow image', () => {
    const shortMark = placeWatermark(size, { text: 'A', color: null, sign: 'dot' })
    const longMark = placeWatermark(size, { text: 'W'.repeat(24), color: null, sign: 'dot' })
    expect(shortMark.width).toBeLessThan(longMark.width / 5)
    expect(longMark.width).toBeLessThanOrEqual(size.width / 2 + 20)
    expect(longMark.x + longMark.width).toBeLessThanOrEqual(size.width)
  })

  it('the lines of each letter of a watermark stay within the width of the letter and the common height', () => {
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

/** Returns an MP4 that players show with a clockwise rotation. The display matrix of the track sets it. */
function withRotation(mp4: Buffer, rotation: 90 | 180 | 270): Buffer {
  const { width, height } = plainVideoSize
  const matrix = {
    90: [0, 1, 0, -1, 0, 0, height, 0],
    180: [-1, 0, 0, 0, -1, 0, width, height],
    270: [0, -1, 0, 1, 0, 0, 0, width],
  }[rotation]
  const rotated = Buffer.from(mp4)
  const matrixOffset = rotated.indexOf('tkhd') + 44
  for (const [index, value] of matrix.entries()) rotated.writeInt32BE(value * 65_536, matrixOffset + 4 * index)
  return rotated
}

const meanOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the position in the decoded frame of a pixel of the displayed frame. */
function codedPosition(
  x: number,
  y: number,
  { rotation, width, height }: { rotation: 0 | 90 | 180 | 270; width: number; height: number },
): [number, number] {
  switch (rotation) {
    case 90:
      return [y, width - 1 - x]
    case 180:
      return [width - 1 - x, height - 1 - y]
    case 270:
      return [height - 1 - y, x]
    default:
      return [x, y]
  }
}

describe.each([
  ['webcodecs', true],
  ['ffmpeg', hasFfmpeg],
] as const)('a watermark on a video by %s', (encoder, isAvailable) => {
  const draw = drawFunctions[encoder]

  it.skipIf(!isAvailable)('a watermark is drawn on every frame, at the same times, with the same sound', async () => {
    const video = await plainVideo()
    const videoBefore = await decodeVideo(video)
    const videoAfter = await decodeVideo(await addWatermark('video', video, draw))
    expect(videoAfter).toMatchObject({
      ...plainVideoSize,
      timestampsSeconds: videoBefore.timestampsSeconds,
      videoSeconds: videoBefore.videoSeconds,
    })
    expect(videoAfter.frames).toHaveLength(24)
    expect(videoAfter.sound).toEqual(videoBefore.sound)
    const { width } = plainVideoSize
    const placement = placeWatermark(plainVideoSize)
    const untouchedBytes = width * (placement.y - 16)
    for (const [index, frame] of videoAfter.frames.entries()) {
      const original = videoBefore.frames[index] ?? frame
      expect(psnr(original, frame, untouchedBytes)).toBeGreaterThan(38)
      const brightCounts = Array.from({ length: placement.height }, (_, row) => {
        const start = (placement.y + row) * width + placement.x
        return frame.subarray(start, start + placement.width).filter((luma) => luma > 215).length
      })
      expect(brightCounts.reduce((sum, pixels) => sum + pixels, 0)).toBeGreaterThan(100)
    }
  })

  it.skipIf(!isAvailable).each([90, 180, 270] as const)(
    'a watermark is upright and at the bottom right of a video that is shown with a rotation of %i degrees',
    async (rotation) => {
      const isTurned = rotation !== 180
      const { width, height } = plainVideoSize
      const displayedSize = isTurned ? { width: height, height: width } : plainVideoSize
      await writeFile(pathOf('from'), withRotation(await plainVideo(), rotation))
      await draw({ kind: 'video', ...displayedSize }, { from: pathOf('from'), to: pathOf('to'), design }, signal)
      const file = await readFile(pathOf('to'))
      expect(await probeMedia(pathOf('to'))).toMatchObject(displayedSize)
      const video = await decodeVideo(file)
      // ffmpeg writes frames that need no rotation.
      const codedRotation = encoder === 'ffmpeg' ? 0 : rotation
      const [frame = new Uint8Array()] = video.frames
      const mark = watermarkPixels(displayedSize, design)
      const lumas: { letters: number[]; plate: number[] } = { letters: [], plate: [] }
      for (let y = 0; y < mark.height; y++) {
        for (let x = 0; x < mark.width; x++) {
          const [red = 0, , , alpha = 0] = mark.rgba.subarray((y * mark.width + x) * 4)
          const [codedX, codedY] = codedPosition(mark.x + x, mark.y + y, { rotation: codedRotation, ...displayedSize })
          const luma = frame[codedY * video.width + codedX] ?? 0
          if (red > 230 && alpha > 230) lumas.letters.push(luma)
          else if (red < 30 && alpha > 80) lumas.plate.push(luma)
        }
      }
      expect(lumas.letters.length).toBeGreaterThan(100)
      expect(meanOf(lumas.letters) - meanOf(lumas.plate)).toBeGreaterThan(60)
    },
  )

  it.skipIf(!isAvailable)('a watermark is drawn on a video without sound', async () => {
    const markedVideo = await addWatermark('video', await plainVideo({ withSound: false }), draw)
    await writeFile(pathOf('video'), markedVideo)
    expect(await probeMedia(pathOf('video'))).toMatchObject({ contentType: 'video/mp4', hasAudio: false, frames: 24 })
  })

  it.skipIf(!isAvailable)('drawing a watermark on a video that cannot be decoded fails', async () => {
    await expect(addWatermark('video', await packetVideo(), draw)).rejects.toMatchObject({ name: 'WatermarkError' })
  })

  it.skipIf(!isAvailable)('the drawing of a watermark stops immediately when it is aborted or its time is over', async () => {
    await writeFile(pathOf('from'), await plainVideo({ seconds: 4 }))
    const stop = new AbortController()
    const video = { kind: 'video', ...plainVideoSize } as const
    const drawing = draw(video, { from: pathOf('from'), to: pathOf('to'), design }, stop.signal)
    stop.abort(new Error('the task was cancelled'))
    await expect(drawing).rejects.toThrow('the task was cancelled')
    const drawWithTimeout = createDrawWatermark({ encoder, timeoutMs: 1 })
    await expect(drawWithTimeout(video, { from: pathOf('from'), to: pathOf('to'), design }, signal)).rejects.toThrow('SIGKILL')
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
  spawnSync(ffmpegProgram, ['-loglevel', 'error', ...source, pathOf('deep.webm')])
  const video = await decodeVideo(await addWatermark('video', await readFile(pathOf('deep.webm'))))
  expect(video).toMatchObject({ ...plainVideoSize, codec: expect.stringMatching(/^avc1/) })
  expect(video.frames).toHaveLength(24)
})

it.skipIf(!hasFfmpeg).each([
  ['odd sides', 'testsrc=size=641x361:rate=24', { width: 641, height: 361 }, { width: 640, height: 360 }],
  ['pixels twice as wide as high', 'testsrc2=size=320x360:rate=24,setsar=2', plainVideoSize, plainVideoSize],
])('ffmpeg draws a watermark completely within the frames of a video with %s', async (_, source, size, sizeAfter) => {
  const encoding = ['-t', '1', '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p']
  spawnSync(ffmpegProgram, ['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', source, ...encoding, pathOf('from.webm')])
  expect(await probeMedia(pathOf('from.webm'))).toMatchObject(size)
  await drawFunctions.ffmpeg({ kind: 'video', ...size }, { from: pathOf('from.webm'), to: pathOf('to'), design }, signal)
  const { frames, ...video } = await decodeVideo(await readFile(pathOf('to')))
  expect(video).toMatchObject(sizeAfter)
  const { x, y, width, height } = watermarkPixels(size, design)
  const brightCounts = frames.map((frame) => {
    const lumas = Array.from({ length: height }, (_row, row) =>
      frame.subarray((y + row) * sizeAfter.width + x, (y + row) * sizeAfter.width + x + width),
    )
    return lumas.reduce((sum, row) => sum + row.filter((luma) => luma > 215).length, 0)
  })
  expect(brightCounts).toHaveLength(24)
  expect(Math.min(...brightCounts)).toBeGreaterThan(100)
})

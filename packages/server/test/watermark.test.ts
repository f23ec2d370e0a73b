import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ffmpegProgram } from '../src/lib/ffmpeg-program.ts'
import { probeMedia } from '../src/media/probe-media.ts'
import { createDrawWatermark } from '../src/watermark/draw-watermark.ts'
import { placeWatermark } from '../src/watermark/watermark-shape.ts'
import { decodeFilm, psnr } from './decode-film.ts'
import { packetFilm } from './packet-film.ts'
import { plainFilm, plainFilmSize } from './plain-film.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-watermark-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ways = {
  webcodecs: createDrawWatermark(),
  ffmpeg: createDrawWatermark({ encoder: 'ffmpeg' }),
}
const hasFfmpeg = spawnSync(ffmpegProgram, ['-version']).status === 0
const { signal } = new AbortController()
const at = (name: string): string => path.join(folder, name)

async function marked(kind: 'image' | 'video', file: Buffer, draw = ways.webcodecs): Promise<Buffer> {
  await writeFile(at('from'), file)
  await draw({ kind, ...plainFilmSize }, at('from'), at('to'), signal)
  return readFile(at('to'))
}

function blue(): Sharp {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#204080' } })
}

function rgbOf(file: Buffer): Promise<Buffer> {
  return sharp(file).removeAlpha().raw().toBuffer()
}

describe('on a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('is drawn at the bottom right of a %s, and nowhere else', async (format) => {
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
      // A lossy format may smear it by one of its blocks.
      const isFar = x < place.x - 16 || y < place.y - 16 || x >= place.x + place.width + 16 || y >= place.y + place.height + 16
      const difference = Math.abs((a[pixel * 3] ?? 0) - (b[pixel * 3] ?? 0))
      if (isInside && difference > 60) inside++
      if (isFar) outside = Math.max(outside, difference)
    }
    expect(inside).toBeGreaterThan(300)
    expect(outside).toBeLessThanOrEqual(format === 'png' ? 0 : 3)
  })

  it('keeps what is transparent, and a picture upright that is turned by its metadata', async () => {
    const clear = sharp({ create: { width: 300, height: 400, channels: 4, background: '#00000000' } })
    const { data, info } = await sharp(await marked('image', await clear.png().toBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.channels, data[3]]).toEqual([4, 0])
    const turned = await marked('image', await blue().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    await writeFile(at('turned'), turned)
    expect(await probeMedia(at('turned'))).toMatchObject({ width: 600, height: 800 })
  })

  it('is refused where the picture is none', async () => {
    await expect(marked('image', Buffer.from('<html>'))).rejects.toThrow('the watermark could not be drawn')
  })
})

describe.each([
  ['webcodecs', true],
  ['ffmpeg', hasFfmpeg],
] as const)('on a film by %s', (encoder, isHere) => {
  const draw = ways[encoder]

  it.skipIf(!isHere)('is drawn on every frame, at the same times, with the same sound', async () => {
    const film = await plainFilm()
    const before = await decodeFilm(film)
    const after = await decodeFilm(await marked('video', film, draw))
    expect(after).toMatchObject({
      ...plainFilmSize,
      timestampsSeconds: before.timestampsSeconds,
      videoSeconds: before.videoSeconds,
    })
    expect(after.frames).toHaveLength(24)
    expect(after.sound).toEqual(before.sound)
    const { width } = plainFilmSize
    const place = placeWatermark(plainFilmSize)
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

  it.skipIf(!isHere)('is drawn on one without sound', async () => {
    const after = await marked('video', await plainFilm({ withSound: false }), draw)
    await writeFile(at('film'), after)
    expect(await probeMedia(at('film'))).toMatchObject({ contentType: 'video/mp4', hasAudio: false, frames: 24 })
  })

  it.skipIf(!isHere)('is refused where the film cannot be decoded', async () => {
    await expect(marked('video', await packetFilm(), draw)).rejects.toThrow('the watermark could not be drawn')
  })

  it.skipIf(!isHere)('is given up at once when it is told to, or when its time is over', async () => {
    await writeFile(at('from'), await plainFilm({ seconds: 4 }))
    const stop = new AbortController()
    const film = { kind: 'video', ...plainFilmSize } as const
    const drawing = draw(film, at('from'), at('to'), stop.signal)
    stop.abort(new Error('the task was cancelled'))
    await expect(drawing).rejects.toThrow('the task was cancelled')
    const inNoTime = createDrawWatermark({ encoder, msMax: 1 })
    await expect(inNoTime(film, at('from'), at('to'), signal)).rejects.toThrow('SIGKILL')
  })
})

it.skipIf(!hasFfmpeg)('is drawn on a film of ten bits, too', async () => {
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
  const film = await decodeFilm(await marked('video', await readFile(at('deep.webm'))))
  expect(film).toMatchObject({ ...plainFilmSize, codec: expect.stringMatching(/^avc1/) })
  expect(film.frames).toHaveLength(24)
})

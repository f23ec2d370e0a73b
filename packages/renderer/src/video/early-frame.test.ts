import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { framesPerSecond } from '@framegate/contract'
import { toYuv, type Rgb } from '../picture/color.ts'
import { EarlyFrame } from './early-frame.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'framegate-early-frame-'))
afterAll(() => rmSync(folder, { recursive: true }))

const size = { width: 64, height: 32 }
const to = { path: path.join(folder, 'frame'), width: 16, height: 8 }

/** The left half black, the right half of this color. */
function frame(colour: Rgb): Uint8Array {
  const [y, u, v] = toYuv(colour)
  const [black, planes] = [16, [] as number[]]
  for (let at = 0; at < 64 * 32; at++) planes.push(at % 64 < 32 ? black : y)
  for (const chroma of [u, v]) for (let at = 0; at < 32 * 16; at++) planes.push(at % 32 < 16 ? 128 : chroma)
  return Uint8Array.from(planes, Math.round)
}

async function written(frames: readonly Uint8Array[]): Promise<Buffer> {
  const early = new EarlyFrame(to, size)
  for (const one of frames) early.take(one)
  await early.write()
  return readFileSync(to.path)
}

const red: Rgb = [220, 30, 40]

it('the early frame of a video has its colors, in the smaller size', async () => {
  const rgb = await written([frame(red)])
  expect(rgb).toHaveLength(3 * 16 * 8)
  expect([...rgb.subarray(0, 3)]).toEqual([0, 0, 0])
  for (const [channel, value] of red.entries()) expect(Math.abs(rgb[3 * 12 + channel]! - value)).toBeLessThanOrEqual(2)
})

it('of a video that fades in, the early frame is one after the fade, and no later one', async () => {
  const fade = Array.from({ length: framesPerSecond }, (_, at) =>
    frame(red.map((value) => (value * at) / framesPerSecond) as never),
  )
  const later = Array.from({ length: 4 * framesPerSecond }, (_, at) =>
    frame(at < 2 * framesPerSecond - 1 ? red : [255, 255, 255]),
  )
  const rgb = await written([...fade, ...later])
  expect(rgb[3 * 12]).toBeGreaterThan(0.8 * red[0])
  expect(rgb[3 * 12 + 1]).toBeLessThan(60)
})

it('an early frame that cannot be written is left out', async () => {
  const nowhere = path.join(folder, 'missing', 'frame')
  const early = new EarlyFrame({ ...to, path: nowhere }, size)
  early.take(frame(red))
  await early.write()
  expect(existsSync(nowhere)).toBe(false)
})

it('a video without frames has no early frame', async () => {
  const none = path.join(folder, 'none')
  await new EarlyFrame({ ...to, path: none }, size).write()
  expect(existsSync(none)).toBe(false)
})

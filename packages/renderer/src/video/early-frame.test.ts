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
const order = { path: path.join(folder, 'frame'), width: 16, height: 8 }

/** Returns a frame whose left half is black and whose right half has this color. */
function makeFrame(color: Rgb): Uint8Array {
  const [y, u, v] = toYuv(color)
  const [black, planes] = [16, [] as number[]]
  for (let index = 0; index < 64 * 32; index++) planes.push(index % 64 < 32 ? black : y)
  for (const chroma of [u, v]) for (let index = 0; index < 32 * 16; index++) planes.push(index % 32 < 16 ? 128 : chroma)
  return Uint8Array.from(planes, Math.round)
}

async function writeEarlyFrame(frames: readonly Uint8Array[]): Promise<Buffer> {
  const early = new EarlyFrame(order, size)
  for (const frame of frames) early.consider(frame)
  await early.write()
  return readFileSync(order.path)
}

const red: Rgb = [220, 30, 40]

it("the early frame of a video has the video's colors at the requested smaller size", async () => {
  const rgb = await writeEarlyFrame([makeFrame(red)])
  expect(rgb).toHaveLength(3 * 16 * 8)
  expect([...rgb.subarray(0, 3)]).toEqual([0, 0, 0])
  for (const [channel, value] of red.entries()) expect(Math.abs(rgb[3 * 12 + channel]! - value)).toBeLessThanOrEqual(2)
})

it('the early frame of a video that fades in is after the fade, and within the first three seconds', async () => {
  const fade = Array.from({ length: framesPerSecond }, (_, index) =>
    makeFrame(red.map((value) => (value * index) / framesPerSecond) as never),
  )
  const later = Array.from({ length: 4 * framesPerSecond }, (_, index) =>
    makeFrame(index < 2 * framesPerSecond - 1 ? red : [255, 255, 255]),
  )
  const rgb = await writeEarlyFrame([...fade, ...later])
  expect(rgb[3 * 12]).toBeGreaterThan(0.8 * red[0])
  expect(rgb[3 * 12 + 1]).toBeLessThan(60)
})

it('EarlyFrame.write does not throw if the file cannot be written', async () => {
  const missingPath = path.join(folder, 'missing', 'frame')
  const early = new EarlyFrame({ ...order, path: missingPath }, size)
  early.consider(makeFrame(red))
  await early.write()
  expect(existsSync(missingPath)).toBe(false)
})

it('a video without frames has no early frame', async () => {
  const unwrittenPath = path.join(folder, 'none')
  await new EarlyFrame({ ...order, path: unwrittenPath }, size).write()
  expect(existsSync(unwrittenPath)).toBe(false)
})

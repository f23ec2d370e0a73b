import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../picture/create-frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'
import { writePng } from './write-png.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'write-png-'))
afterAll(() => rmSync(folder, { recursive: true }))

// Rows fill whole vectors, have a remainder, or are shorter than a vector. Some images have fine
// grain everywhere, others have flat areas.
it.each([
  [1024, 64, 'a lake at dusk'],
  [190, 108, 'a lake at dusk'],
  [366, 204, 'pixel art castle on a hill'],
  [18, 130, 'a street in the rain at night'],
  [16, 16, 'minimal desert'],
])('writePng stores an image of %i x %i pixels without loss: %s', async (width, height, prompt) => {
  const plan: RenderPlan = {
    width,
    height,
    frames: 1,
    prompt,
    negativePrompt: '',
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
  }
  const memory = new WebAssembly.Memory({ initial: memoryPagesFor(plan), maximum: 4096, shared: true })
  const source = createFrameSource(plan, memory)
  const rgb = source.renderRgb(0)
  const expected = Buffer.from(new Uint8Array(memory.buffer, rgb.byteOffset, rgb.byteLength))
  const rows = source.renderPngRows(0)
  const file = path.join(folder, 'a.png')
  const filtered = new Uint8Array(memory.buffer, rows.byteOffset, rows.byteLength)
  await writePng(file, plan, filtered)
  // Image libraries may ignore the checksum of the zlib stream. `inflateSync` verifies it.
  expect(inflateSync(compressedIn(readFileSync(file))).equals(filtered)).toBe(true)
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width, height, channels: 3 })
  expect(data.equals(expected)).toBe(true)
})

/** Returns the content of the only IDAT chunk, which follows the signature and the header. */
function compressedIn(png: Buffer): Buffer {
  const start = 8 + 25
  expect(png.toString('latin1', start + 4, start + 8)).toBe('IDAT')
  return png.subarray(start + 8, start + 8 + png.readUInt32BE(start))
}

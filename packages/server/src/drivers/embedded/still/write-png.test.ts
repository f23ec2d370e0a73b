import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../picture/create-frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'
import { writePng } from './write-png.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'write-png-'))
afterAll(() => rmSync(folder, { recursive: true }))

// Rows whose bytes fill whole vectors, rows with a rest, rows shorter than a vector; fine grain everywhere, flat areas.
it.each([
  [1024, 64, 'a lake at dusk'],
  [190, 108, 'a lake at dusk'],
  [366, 204, 'pixel art castle on a hill'],
  [18, 130, 'a street in the rain at night'],
  [16, 16, 'minimal desert'],
])('writes %i x %i pixels as they were composed, of %s', async (width, height, prompt) => {
  const plan: RenderPlan = {
    width,
    height,
    frames: 1,
    prompt,
    negativePrompt: '',
    seed: 7,
    mode: 'text',
    pictures: [],
    watermark: false,
  }
  const memory = new WebAssembly.Memory({ initial: memoryPagesFor(plan), maximum: 4096, shared: true })
  const source = createFrameSource(plan, memory)
  const rgb = source.renderRgb(0)
  const expected = Buffer.from(new Uint8Array(memory.buffer, rgb.byteOffset, rgb.byteLength))
  const rows = source.renderPngRows(0)
  const file = path.join(folder, 'a.png')
  await writePng(file, plan, new Uint8Array(memory.buffer, rows.byteOffset, rows.byteLength))
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width, height, channels: 3 })
  expect(data.equals(expected)).toBe(true)
})

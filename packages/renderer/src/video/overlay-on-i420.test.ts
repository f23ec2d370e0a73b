import { expect, it } from 'vitest'
import { plateFor } from '../../test/plate.ts'
import { createFrameSource, memoryPagesFor } from '../picture/create-frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'
import { overlayOnI420 } from './overlay-on-i420.ts'

const size = { width: 192, height: 108 }

/** Returns the first frame of a video that begins with a gray image, without a vignette. */
function frameOf(overlay: RenderPlan['overlay']): Uint8Array {
  const images = [{ ...size, rgba: new Uint8Array(4 * size.width * size.height).fill(120) }]
  const prompt = { prompt: '', negativePrompt: '', seed: 7 }
  const plan: RenderPlan = { ...size, ...prompt, frames: 24, mode: 'first-frame', images, overlay }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const { byteOffset, byteLength } = createFrameSource(plan, memory).renderI420(0, 0)
  return new Uint8Array(memory.buffer, byteOffset, byteLength).slice()
}

it('an overlay on a decoded frame looks like the same overlay on a rendered frame, and the rest of the frame is unchanged', () => {
  const plate = plateFor(size)
  const [plain, composed] = [frameOf(null), frameOf(plate)]
  const drawn = plain.slice()
  overlayOnI420(plate, size)(drawn)
  let [differenceMax, changedCount, changedLumaCount] = [0, 0, 0]
  for (const [index, value] of drawn.entries()) {
    if (value === plain[index]) continue
    changedCount += 1
    differenceMax = Math.max(differenceMax, Math.abs(value - (composed[index] ?? 0)))
    if (index < size.width * size.height && index % size.width >= plate.x && index / size.width >= plate.y) changedLumaCount += 1
  }
  // The compositor stores alpha with fewer bits.
  expect(differenceMax).toBeLessThanOrEqual(3)
  expect(changedLumaCount).toBe(plate.width * plate.height)
  expect(changedCount).toBeLessThanOrEqual(plate.width * plate.height * 1.5)
})

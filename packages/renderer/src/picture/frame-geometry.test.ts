import { aspectRatios, imagePixelSize, imageResolutions, videoPixelSize, videoResolutions } from '@framegate/contract'
import { expect, it } from 'vitest'
import { plateFor } from '../../test/plate.ts'
import { createFrameSource, memoryPagesFor } from './create-frame-source.ts'

const sizes = [
  ...imageResolutions.flatMap((resolution) => aspectRatios.map((ratio) => imagePixelSize(ratio, resolution))),
  ...videoResolutions.flatMap((resolution) => aspectRatios.map((ratio) => videoPixelSize(ratio, resolution))),
]
const largestSizes = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, 2)
const plan = {
  frames: 24,
  prompt: 'a boat on a lake at dusk',
  negativePrompt: '',
  seed: 7,
  mode: 'text',
  images: [],
} as const

const reference = { width: 2, height: 2, rgba: new Uint8Array(16) }
const referenceVideo = { ...reference, frames: 2, rgba: new Uint8Array(32) }

it.each(sizes)('the memory limit allows every documented size: $width x $height', (size) => {
  for (const image of [reference, referenceVideo]) {
    expect(memoryPagesFor({ ...plan, images: [image], overlay: plateFor(size), ...size })).toBeLessThanOrEqual(4096)
  }
})

it.each(largestSizes)('a frame of one of the two largest documented sizes is rendered: $width x $height', ({ width, height }) => {
  const sizedPlan = { ...plan, images: [referenceVideo], overlay: plateFor({ width, height }), width, height }
  const pages = memoryPagesFor(sizedPlan)
  const source = createFrameSource(sizedPlan, new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }))
  expect(source.renderI420(12, 0).byteLength).toBe(width * height * 1.5)
})

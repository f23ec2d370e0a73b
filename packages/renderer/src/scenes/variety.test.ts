import { expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../picture/create-frame-source.ts'
import type { RenderPlan } from '../render-plan.ts'

const size = { width: 192, height: 108 }
const [cellColumns, cellRows] = [16, 9]

/** Returns the mean red, green and blue of each cell of an image. */
function thumbnailOf(prompt: string, seed = 7): Float64Array {
  const plan: RenderPlan = { ...size, frames: 24, prompt, negativePrompt: '', seed, mode: 'text', images: [], overlay: null }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const region = createFrameSource(plan, memory).renderRgb(12)
  const rgb = new Uint8Array(memory.buffer, region.byteOffset, region.byteLength)
  const cells = new Float64Array(cellColumns * cellRows * 3)
  const [cellWidth, cellHeight] = [size.width / cellColumns, size.height / cellRows]
  for (const [index, value] of rgb.entries()) {
    const pixel = Math.floor(index / 3)
    const column = Math.floor((pixel % size.width) / cellWidth)
    const row = Math.floor(pixel / size.width / cellHeight)
    const position = (row * cellColumns + column) * 3 + (index % 3)
    cells[position] = (cells[position] ?? 0) + value / (cellWidth * cellHeight)
  }
  return cells
}

/** Returns the root mean square difference, in code values. */
function distanceBetween(first: Float64Array, second: Float64Array): number {
  let sum = 0
  for (const [index, value] of first.entries()) sum += (value - (second[index] ?? 0)) ** 2
  return Math.sqrt(sum / first.length)
}

function meanLight(cells: Float64Array): number {
  return cells.reduce((sum, value) => sum + value, 0) / cells.length
}

it('prompts of the same place and hour give different images', () => {
  const prompts = [
    'a lake at dusk',
    'dusk over a mountain lake',
    'a quiet pond in the evening',
    'twilight, lake',
    'sunset at the lake',
  ]
  const thumbnails = prompts.map((prompt) => thumbnailOf(prompt))
  for (const [index, thumbnail] of thumbnails.entries()) {
    for (const other of thumbnails.slice(index + 1)) expect(distanceBetween(thumbnail, other)).toBeGreaterThan(14)
  }
})

it('a joyful prompt is brighter than a gloomy one', () => {
  const [joyful, gloomy] = ['joyful', 'gloomy'].map((mood) => thumbnailOf(`a ${mood} meadow at noon`))
  expect(meanLight(joyful!)).toBeGreaterThan(meanLight(gloomy!) + 20)
})

it('a different seed gives a variation of the same scene', () => {
  const [first, second, otherScene] = [
    thumbnailOf('a sea at dusk', 1),
    thumbnailOf('a sea at dusk', 2),
    thumbnailOf('a sea at noon', 1),
  ]
  expect(distanceBetween(first, second)).toBeGreaterThan(2)
  expect(distanceBetween(first, second)).toBeLessThan(distanceBetween(first, otherScene) * 0.7)
})

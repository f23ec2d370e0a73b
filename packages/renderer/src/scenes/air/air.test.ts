import { describe, expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import type { RenderPlan } from '../../render-plan.ts'

const size = { width: 256, height: 144 }
/** Negative prompt for parts that take long to set up and are not tested here. */
const excludedParts = 'clouds, plants'

function openVideo(prompt: string, withoutPart = ''): (index: number) => Uint8Array {
  const plan: RenderPlan = {
    ...size,
    frames: 120,
    prompt,
    negativePrompt: `${excludedParts}, ${withoutPart}`,
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
  }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source = createFrameSource(plan, memory)
  return (index) => {
    const region = source.renderRgb(index)
    return new Uint8Array(memory.buffer, region.byteOffset, region.byteLength).slice()
  }
}

/** Returns the pixels that differ clearly between two frames. */
function differingPixels(a: Uint8Array, b: Uint8Array): Set<number> {
  const pixels = new Set<number>()
  for (let index = 0; index < a.length; index += 3) {
    if (Math.abs((a[index] ?? 0) - (b[index] ?? 0)) + Math.abs((a[index + 1] ?? 0) - (b[index + 1] ?? 0)) > 14)
      pixels.add(index / 3)
  }
  return pixels
}

describe('the air of a scene', () => {
  it.each([
    ['fireflies', 'a desert at night'],
    ['embers', 'a desert at night'],
    ['petals', 'a lake at noon'],
    ['falling leaves', 'a lake at noon'],
    ['dust', 'a desert at dusk'],
    ['soap bubbles', 'a lake at noon'],
    ['bubbles', 'a coral reef'],
  ])('moving %s appear in %s if the prompt names them, and not if the negative prompt does', (particles, place) => {
    const prompt = `${place}, ${particles}`
    const [withPart, withoutPart] = [openVideo(prompt), openVideo(prompt, particles)]
    const first = differingPixels(withPart(30), withoutPart(30))
    const later = differingPixels(withPart(90), withoutPart(90))
    expect(first.size).toBeGreaterThan(12)
    expect(later.size).toBeGreaterThan(12)
    const unmovedCount = [...first].filter((pixel) => later.has(pixel)).length
    expect(unmovedCount).toBeLessThan(first.size * 0.6)
  })

  it('a night with shooting stars shows one in some frames and none in others', () => {
    const prompt = 'shooting stars over a desert at night'
    const [withPart, withoutPart] = [openVideo(prompt), openVideo(prompt, 'shooting star')]
    const counts = Array.from({ length: 24 }, (_, index) => differingPixels(withPart(index * 5), withoutPart(index * 5)).size)
    expect(Math.max(...counts)).toBeGreaterThan(20)
    expect(Math.min(...counts)).toBe(0)
  })

  it('autumn and cherry blossom change a scene whose prompt names neither leaves nor petals', () => {
    expect(differingPixels(openVideo('an autumn forest')(60), openVideo('an autumn forest', 'autumn')(60)).size).toBeGreaterThan(
      500,
    )
    const blossom = openVideo('cherry blossom, a lake at noon')
    expect(differingPixels(blossom(60), openVideo('cherry blossom, a lake at noon', 'cherry blossom')(60)).size).toBeGreaterThan(
      500,
    )
  })
})

/** Returns the number of pixels that birds change in a frame. */
function countBirdPixels(prompt: string): number {
  return differingPixels(openVideo(prompt)(60), openVideo(prompt, 'birds')(60)).size
}

describe('birds that the prompt does not name', () => {
  it('birds that the prompt does not name appear in some scenes and not in others', () => {
    const counts = Array.from({ length: 12 }, (_, index) =>
      countBirdPixels(`a desert at noon, view ${index} of the sea and the lake`),
    )
    const scenesWithBirds = counts.filter((count) => count > 0).length
    expect(scenesWithBirds).toBeGreaterThan(0)
    expect(scenesWithBirds).toBeLessThan(counts.length)
  })

  it.each([
    'a storm over the sea',
    'a lake at night',
    'a foggy lake',
    'a rainy meadow',
    'a planet in space',
    'a hot air balloon over a lake at noon',
    'a castle by a lake at noon',
  ])('birds that the prompt does not name are absent from %s', (prompt) => {
    expect(countBirdPixels(prompt)).toBe(0)
  })

  it('birds appear when the prompt names them', () => {
    for (const birds of ['birds', 'an eagle', 'seagulls', 'crows', 'a flock of geese']) {
      const prompt = `a lake at noon, ${birds}`
      expect(differingPixels(openVideo(prompt)(60), openVideo(prompt, 'animals')(60)).size, birds).toBeGreaterThan(10)
    }
  })
})

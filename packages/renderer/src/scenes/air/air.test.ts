import { describe, expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import type { RenderPlan } from '../../render-plan.ts'

const size = { width: 256, height: 144 }
/** Negative prompt for parts that take long to set up and are not under test here. */
const bare = 'clouds, plants'

function video(prompt: string, without = ''): (index: number) => Uint8Array {
  const plan: RenderPlan = {
    ...size,
    frames: 120,
    prompt,
    negativePrompt: `${bare}, ${without}`,
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

/** Returns the pixels that clearly differ. */
function differing(a: Uint8Array, b: Uint8Array): Set<number> {
  const found = new Set<number>()
  for (let at = 0; at < a.length; at += 3) {
    if (Math.abs((a[at] ?? 0) - (b[at] ?? 0)) + Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0)) > 14) found.add(at / 3)
  }
  return found
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
  ])('the air shows moving %s in %s, and none when the negative prompt names them', (air, place) => {
    const prompt = `${place}, ${air}`
    const [shown, without] = [video(prompt), video(prompt, air)]
    const first = differing(shown(30), without(30))
    const later = differing(shown(90), without(90))
    expect(first.size).toBeGreaterThan(12)
    expect(later.size).toBeGreaterThan(12)
    const still = [...first].filter((pixel) => later.has(pixel)).length
    expect(still).toBeLessThan(first.size * 0.6)
  })

  it('a night with shooting stars shows one at some moments and none at others', () => {
    const prompt = 'shooting stars over a desert at night'
    const [shown, without] = [video(prompt), video(prompt, 'shooting star')]
    const streaks = Array.from({ length: 24 }, (_, index) => differing(shown(index * 5), without(index * 5)).size)
    expect(Math.max(...streaks)).toBeGreaterThan(20)
    expect(Math.min(...streaks)).toBe(0)
  })

  it('leaves and petals fall without being named in an autumn forest and under cherry blossom', () => {
    expect(differing(video('an autumn forest')(60), video('an autumn forest', 'autumn')(60)).size).toBeGreaterThan(500)
    const blossom = video('cherry blossom, a lake at noon')
    expect(differing(blossom(60), video('cherry blossom, a lake at noon', 'cherry blossom')(60)).size).toBeGreaterThan(500)
  })
})

function birdsIn(prompt: string): number {
  return differing(video(prompt)(60), video(prompt, 'birds')(60)).size
}

describe('birds that the prompt does not name', () => {
  it('birds that the prompt does not name appear in some scenes and not in others', () => {
    const skies = Array.from({ length: 12 }, (_, index) => {
      const prompt = `a desert at noon, view ${index} of the sea and the lake`
      return [...differing(video(prompt)(60), video(prompt, 'birds')(60))]
    })
    const populated = skies.filter((pixels) => pixels.length > 0)
    expect(populated.length).toBeGreaterThan(0)
    expect(populated.length).toBeLessThan(skies.length)
  })

  it.each([
    'a storm over the sea',
    'a lake at night',
    'a foggy lake',
    'a rainy meadow',
    'a planet in space',
    'a hot air balloon over a lake at noon',
    'a castle by a lake at noon',
  ])('birds that the prompt does not name stay away from %s', (prompt) => {
    expect(birdsIn(prompt)).toBe(0)
  })

  it('birds appear when the prompt names them', () => {
    for (const birds of ['birds', 'an eagle', 'seagulls', 'crows', 'a flock of geese']) {
      const prompt = `a lake at noon, ${birds}`
      expect(differing(video(prompt)(60), video(prompt, 'animals')(60)).size, birds).toBeGreaterThan(10)
    }
  })
})

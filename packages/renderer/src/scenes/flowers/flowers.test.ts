import { describe, expect, it } from 'vitest'
import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import type { RenderPlan } from '../../render-plan.ts'

function renderStill(prompt: string): Uint8Array {
  const plan: RenderPlan = {
    width: 320,
    height: 180,
    frames: 1,
    prompt,
    negativePrompt: 'clouds, mist',
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
  }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const region = createFrameSource(plan, memory).renderRgb(0)
  return new Uint8Array(memory.buffer, region.byteOffset, region.byteLength).slice()
}

/** Returns the share of the lower half of the image whose color matches. */
function shareOf(rgb: Uint8Array, isMatch: (red: number, green: number, blue: number) => boolean): number {
  let count = 0
  for (let index = rgb.length / 2; index < rgb.length; index += 3)
    if (isMatch(rgb[index] ?? 0, rgb[index + 1] ?? 0, rgb[index + 2] ?? 0)) count++
  return count / (rgb.length / 6)
}

const isYellow = (red: number, green: number, blue: number): boolean => red > 110 && green > red * 0.6 && blue < green * 0.55
const isRed = (red: number, green: number, blue: number): boolean => red > 90 && green < red * 0.55 && blue < red * 0.6
const isViolet = (red: number, green: number, blue: number): boolean => blue > green * 1.25 && red > green * 1.05
const isWhite = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) > 140
const isPink = (red: number, green: number, blue: number): boolean => red > 150 && red > green * 1.12 && blue > green

describe('flower fields', () => {
  it.each([
    ['sunflowers', isYellow, 0.12],
    ['poppies', isRed, 0.08],
    ['lavender', isViolet, 0.1],
    ['daisies', isWhite, 0.05],
    ['red tulips', isRed, 0.08],
  ])('a field of %s has their color', (flowers, isColor, shareMin) => {
    const field = shareOf(renderStill(`a field of ${flowers} at noon`), isColor)
    expect(field).toBeGreaterThan(shareMin)
    expect(field).toBeGreaterThan(shareOf(renderStill('a meadow at noon'), isColor) * 2)
  })

  it('a field of tulips has several colors', () => {
    const tulips = renderStill('tulips at noon')
    for (const isColor of [isRed, isYellow]) expect(shareOf(tulips, isColor)).toBeGreaterThan(0.01)
  })

  it('tulips have the color that the prompt gives them', () => {
    const [white, purple] = [renderStill('white tulips at noon'), renderStill('purple tulips at noon')]
    expect(shareOf(white, isWhite)).toBeGreaterThan(shareOf(purple, isWhite) + 0.05)
    expect(shareOf(purple, isViolet)).toBeGreaterThan(shareOf(white, isViolet) + 0.05)
  })
})

/** Returns the number of pink pixels in the upper half of the image. */
function countPinkAbove(prompt: string): number {
  const rgb = renderStill(prompt).subarray(0, 320 * 90 * 3)
  let count = 0
  for (let index = 0; index < rgb.length; index += 3)
    if (isPink(rgb[index] ?? 0, rgb[index + 1] ?? 0, rgb[index + 2] ?? 0)) count++
  return count
}

it('cherry blossom hangs into the image from above', () => {
  expect(countPinkAbove('cherry blossom by a lake at noon')).toBeGreaterThan(countPinkAbove('a lake at noon') + 400)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readableColor } from './readable-color.ts'

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((offset) => {
    const share = Number.parseInt(color.slice(offset, offset + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

it('the readable form of any color has a contrast of at least 4.5 with a light and a dark background', () => {
  const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, fc.constantFrom('#ffffff', '#17181b'), (color, background) => {
      const [dark = 0, light = 0] = [luminanceOf(readableColor(color, background)), luminanceOf(background)].toSorted(
        (a, b) => a - b,
      )
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

it('a readable color is unchanged', () => {
  expect(readableColor('#1a7f64', '#ffffff')).toBe('#1a7f64')
})

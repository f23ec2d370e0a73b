import { expect, it } from 'vitest'
import { chooseFrame } from './choose-frame.ts'

const originalSize = 64

/** A frame of black and white pixels, at this share of their brightness. */
function solidFrame(brightness: number): number[] {
  return Array.from({ length: 3 * originalSize }, (_, index) => (Math.floor(index / 3) % 2 === 0 ? 0 : 255 * brightness))
}

const chosen = (...brightness: number[]): number => chooseFrame(Uint8Array.from(brightness.flatMap(solidFrame)), 3 * originalSize)

it.each([
  ['a video that begins with its full contrast', [1, 1, 0.9], 0],
  ['a fade from black', [0, 0.2, 0.5, 0.8, 0.98, 1, 1], 4],
  ['black frames only', [0, 0, 0], 0],
  ['a flash after a dark scene', [0.3, 0.31, 1, 0.3], 2],
  ['one frame', [0.5], 0],
])('the earliest frame of %s whose contrast is close to the highest is chosen', (_name, brightness, index) => {
  expect(chosen(...brightness)).toBe(index)
})

it('an incomplete frame is not chosen', () => {
  const frames = Uint8Array.from([...solidFrame(0.1), ...solidFrame(1).slice(0, -1)])
  expect(chooseFrame(frames, 3 * originalSize)).toBe(0)
})

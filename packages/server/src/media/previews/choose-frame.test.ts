import { expect, it } from 'vitest'
import { chooseFrame } from './choose-frame.ts'

const pixelCount = 64

/** Returns a frame whose pixels are alternately black and gray. `brightness` is 1 for white. */
function stripedFrame(brightness: number): number[] {
  return Array.from({ length: 3 * pixelCount }, (_, index) => (Math.floor(index / 3) % 2 === 0 ? 0 : 255 * brightness))
}

const chooseIndex = (...brightness: number[]): number =>
  chooseFrame(Uint8Array.from(brightness.flatMap(stripedFrame)), 3 * pixelCount)

it.each([
  ['a video that begins with its full contrast', [1, 1, 0.9], 0],
  ['a fade from black', [0, 0.2, 0.5, 0.8, 0.98, 1, 1], 4],
  ['black frames only', [0, 0, 0], 0],
  ['a flash after a dark scene', [0.3, 0.31, 1, 0.3], 2],
  ['one frame', [0.5], 0],
])('the frame chosen from %s, with the contrasts %j, has the index %i', (_name, brightness, index) => {
  expect(chooseIndex(...brightness)).toBe(index)
})

it('an incomplete frame is not chosen', () => {
  const frames = Uint8Array.from([...stripedFrame(0.1), ...stripedFrame(1).slice(0, -1)])
  expect(chooseFrame(frames, 3 * pixelCount)).toBe(0)
})

import { expect, it } from 'vitest'
import { duration } from './language.ts'

it.each([
  [0, '0 s'],
  [0.04, '40 ms'],
  [0.9996, '1.0 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [119.7, '2 min 0 s'],
  [3_599.8, '1 h 0 min'],
  [3_660, '1 h 1 min'],
])('a duration of %d seconds is shown as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

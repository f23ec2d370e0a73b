import { expect, it } from 'vitest'
import { duration, relativeTime } from './language.ts'

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

it.each([
  [-29, '29 seconds ago'],
  [-59.6, '1 minute ago'],
  [-31 * 60, '31 minutes ago'],
  [-59.6 * 60, '1 hour ago'],
  [23.6 * 3_600, 'tomorrow'],
  [-29.6 * 86_400, 'last month'],
])('a time %d seconds from now is shown as %s', (secondsAhead, text) => {
  expect(relativeTime(1_000_000_000 + secondsAhead, 1_000_000_000_000)).toBe(text)
})

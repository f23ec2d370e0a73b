import { expect, it } from 'vitest'
import { succeededWith } from './succeeded-with.ts'

it.each([
  ['with a whole number', 7, 7],
  ['with the largest safe number', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['above 2^53 left out', 2 ** 60, undefined],
  ['that is a fraction left out', 1.5, undefined],
  ['below 0 left out', -1, undefined],
])('an outcome has a seed %s', (_what, seed, expected) => {
  expect(succeededWith([{ contentType: 'image/png', location: { url: 'https://a.example/1' }, seed }])).toEqual({
    state: 'succeeded',
    outputs: [{ contentType: 'image/png', location: { url: 'https://a.example/1' }, seed: expected }],
  })
})

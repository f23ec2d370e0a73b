import { expect, it } from 'vitest'
import { succeededWith } from './succeeded-with.ts'

it.each([
  [7, 7],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [2 ** 60, undefined],
  [1.5, undefined],
  [-1, undefined],
])('an output with the seed %s has the seed %s in the outcome', (seed, expected) => {
  expect(succeededWith([{ contentType: 'image/png', location: { url: 'https://a.example/1' }, seed }])).toEqual({
    state: 'succeeded',
    outputs: [{ contentType: 'image/png', location: { url: 'https://a.example/1' }, seed: expected }],
  })
})

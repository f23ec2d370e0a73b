import { expect, it } from 'vitest'
import { randomSeed } from './random-seed.ts'

it('a random seed is a whole number within the bounds of the parameter', () => {
  const seeds = Array.from({ length: 200 }, () => randomSeed({ minimum: 17, maximum: 19 }))
  expect(new Set(seeds)).toEqual(new Set([17, 18, 19]))
})

it('a random seed without bounds has at most 32 bits', () => {
  for (let count = 0; count < 200; count++) expect(randomSeed({})).toSatisfy(is32Bit)
})

function is32Bit(seed: number): boolean {
  return Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32
}

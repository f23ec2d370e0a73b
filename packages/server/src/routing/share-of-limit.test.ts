import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createShareOfLimit } from './share-of-limit.ts'

it('gives away all of a limit and no more, however many there are, and as evenly as it can be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 64 }), (max, count) => {
      const shares = Array.from({ length: count }, (_, rank) => createShareOfLimit(() => ({ count, rank }))(max))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(max)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }),
  )
  expect(createShareOfLimit(() => ({ count: 3, rank: 2 }))(Infinity)).toBe(Infinity)
})

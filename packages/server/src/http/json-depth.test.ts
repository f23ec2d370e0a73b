import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

it('measures every JSON value exactly', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const depth = depthOf(JSON.parse(text))
      expect(isDeeperThan(text, depth)).toBe(false)
      if (depth > 0) expect(isDeeperThan(text, depth - 1)).toBe(true)
    }),
  )
})

it.each([
  ['[[["]"]]]', 2, true],
  [String.raw`["\"[[[[\\", "[[["]`, 1, false],
  [String.raw`["\\\\\"[[["]`, 1, false],
  ['["never closed [[[[', 1, false],
  ['['.repeat(100_000), 16, true],
])('looks at brackets outside of strings only: %.20s', (text, depthMax, expected) => {
  expect(isDeeperThan(text, depthMax)).toBe(expected)
})

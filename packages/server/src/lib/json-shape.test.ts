import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonExcess, type JsonLimits } from './json-shape.ts'

const noLimits = { depthMax: Infinity, itemsMax: Infinity, bytesOutsideStringsMax: Infinity }
const excessOf = (text: string, limits: Partial<JsonLimits>) => findJsonExcess(Buffer.from(text), { ...noLimits, ...limits })

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** Number of values within arrays and objects, and of field names. */
function itemsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const directCount = Array.isArray(value) ? value.length : 2 * Object.keys(value).length
  // An empty array or object counts as if it had one item.
  return Math.max(1, directCount) + Object.values(value).reduce<number>((sum, item) => sum + itemsOf(item), 0)
}

describe('the shape of a JSON text', () => {
  it('the depth of a JSON text is exact for every value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const depth = depthOf(JSON.parse(text))
        expect(excessOf(text, { depthMax: depth })).toBe(null)
        if (depth > 0) expect(excessOf(text, { depthMax: depth - 1 })).toBe('depth')
      }),
    )
  })

  it('the number of items of a JSON text is exact for every value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const items = itemsOf(value)
        for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
          expect(excessOf(text, { itemsMax: items + 1 })).toBe(null)
          if (items > 0) expect(excessOf(text, { itemsMax: items })).toBe('items')
        }
      }),
    )
  })

  it('the scan of a JSON text ends without an error for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => findJsonExcess(Buffer.from(bytes), { ...noLimits, depthMax: 3, itemsMax: 5 })).not.toThrow()
      }),
    )
  })

  const longText = 'x'.repeat(100)
  it.each([
    ['[[["]"]]]', 2, true],
    [String.raw`["\"[[[[\\", "[[["]`, 1, false],
    [String.raw`["\\\\\"[[["]`, 1, false],
    [String.raw`["${longText}\"[[[[\\", "[[["]`, 1, false],
    [String.raw`["${longText}\\", [[["]`, 1, true],
    [String.raw`["${longText}[[", "${longText}\u005b[["]`, 1, false],
    ['["never closed [[[[', 1, false],
    [`["never closed ${longText} [[[[`, 1, false],
    ['['.repeat(100_000), 16, true],
  ])('only brackets outside of strings count as depth: %.20s', (text, depthMax, isDeeper) => {
    expect(excessOf(text, { depthMax })).toBe(isDeeper ? 'depth' : null)
  })

  it.each([
    ['a long number', `[${'9'.repeat(1000)}]`],
    ['white space', `[${' '.repeat(1000)}]`],
    ['text that is not JSON', '\0'.repeat(1002)],
  ])('bytes outside of strings are counted: %s', (_name, text) => {
    expect(excessOf(text, { bytesOutsideStringsMax: 1002 })).toBe(null)
    expect(excessOf(text, { bytesOutsideStringsMax: 1001 })).toBe('bytes outside strings')
    expect(excessOf(`["${longText}"]`, { bytesOutsideStringsMax: 3 })).toBe(null)
  })
})

import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { JsonParser } from './json-parser.ts'
import type { ParsedJson } from './parse-json-body.ts'

let parser: JsonParser
beforeEach(() => {
  parser = new JsonParser()
})
afterEach(() => parser[Symbol.asyncDispose]())

/** A body in a separate buffer, like a body that was collected from chunks. */
function bodyOf(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text)
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength)
  bytes.copy(copy)
  return copy
}

const padding = ' '.repeat(300_000)

describe('the parser of request bodies', () => {
  it.each([
    ['a task', '{"model":"imgA-5.0","prompt":"a lake","seed":1.5,"list":[null,true,{}]}'],
    ['text of any kind', '{"prompt":"語 🦊 \\u0000 \\ud800"}'],
    ['names of prototypes', '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":1},"0":1,"":2}'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['a trailing comma', '{"a":1,}'],
    ['half an object', '{'],
    ['nothing but spaces', ''],
    ['too many levels', '['.repeat(20) + ']'.repeat(20)],
    ['too many values', `[${'0,'.repeat(20_000)}0]`],
  ])('the parser returns the same result for %s in the calling thread and in its own thread', async (_, text) => {
    const shortBody = parser.parse(bodyOf(text)) as ParsedJson
    const longBody = parser.parse(bodyOf(text + padding))
    expect(shortBody).not.toBeInstanceOf(Promise)
    expect(longBody).toBeInstanceOf(Promise)
    expect(JSON.stringify(await longBody)).toBe(JSON.stringify(shortBody))
    expect(isDeepStrictEqual(await longBody, shortBody)).toBe(true)
  })

  it('the parser rejects a large body that is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(`{"a":"${padding}`), Buffer.from([0xff]), Buffer.from('"}')])
    expect(await parser.parse(bodyOf(bytes))).toEqual({ error: 'The body is not valid UTF-8.' })
  })

  it('the parser returns the value of each of many concurrent large bodies', async () => {
    const parsed = await Promise.all(Array.from({ length: 20 }, async (_, n) => parser.parse(bodyOf(`{"n":${n}}${padding}`))))
    expect(parsed).toEqual(Array.from({ length: 20 }, (_, n) => ({ value: { n } })))
  })

  it('the parser transfers a large body to its thread and parses nothing in the calling thread', async () => {
    await parser.parse(bodyOf(padding))
    const large = bodyOf(`{"prompt":"${'a'.repeat(16 * 1024 * 1024)}"}`)
    const parseHere = vi.spyOn(JSON, 'parse')
    try {
      expect(await parser.parse(large)).toHaveProperty('value')
      expect(large.byteLength).toBe(0)
      expect(parseHere).not.toHaveBeenCalled()
    } finally {
      parseHere.mockRestore()
    }
  })

  it('the parser rejects unparsed bodies when it is closed', async () => {
    const parsing = Promise.all([1, 2].map(async (n) => parser.parse(bodyOf(`${n}${padding}`))))
    const rejection = expect(parsing).rejects.toThrow()
    await parser[Symbol.asyncDispose]()
    await rejection
  })
})

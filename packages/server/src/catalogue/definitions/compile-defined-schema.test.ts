import { expect, it } from 'vitest'
import type { RequestSchema } from '../model.ts'
import { compileDefinedSchema } from './compile-defined-schema.ts'

/** Returns the schema of a model whose only parameter must be at most `maximum`. */
function schemaOf(maximum: number): RequestSchema {
  return {
    type: 'object',
    required: [],
    properties: { guidance: { type: 'number', description: 'Guidance.', maximum } },
    additionalProperties: false,
  } as unknown as RequestSchema
}

it('every schema validates by its own rules, even if the cache of compiled schemas overflows', () => {
  const compiled = Array.from({ length: 230 }, (_, maximum) => ({ maximum, ...compileDefinedSchema(schemaOf(maximum)) }))
  for (let round = 0; round < 2; round++) {
    for (const { maximum, accepts, findErrors } of compiled) {
      expect([accepts({ guidance: maximum }), accepts({ guidance: maximum + 1 })]).toEqual([true, false])
      expect(findErrors({ guidance: maximum })).toEqual([])
      expect(findErrors({ guidance: maximum + 1 })).toMatchObject([{ keyword: 'maximum', params: { limit: maximum } }])
    }
  }
})

it('validators of equal schemas accept and refuse the same parameters', () => {
  for (const { accepts } of [compileDefinedSchema(schemaOf(7)), compileDefinedSchema(schemaOf(7))]) {
    expect([accepts({ guidance: 7 }), accepts({ guidance: 8 })]).toEqual([true, false])
  }
})

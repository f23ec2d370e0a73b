import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readShownParameters, writeParameters } from './parameters-text.ts'

it('finds seconds and seed again, and is not misled by what a prompt says', () => {
  const anyPrompt = fc.oneof(fc.string(), fc.constantFrom('{"seconds":9,"seed":9', '"seed":1', ',"seed":5'))
  const anyParameters = fc.record(
    { prompt: anyPrompt, seed: fc.nat(), watermark: fc.boolean(), seconds: fc.nat(60), reference_images: fc.array(fc.string()) },
    { requiredKeys: ['prompt'] },
  )
  fc.assert(
    fc.property(anyParameters, (parameters) => {
      const text = writeParameters(parameters)
      expect(JSON.parse(text)).toEqual(parameters)
      expect(readShownParameters(text)).toEqual({ seconds: parameters.seconds ?? null, seed: parameters.seed ?? null })
    }),
  )
})

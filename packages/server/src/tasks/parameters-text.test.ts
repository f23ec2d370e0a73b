import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readShownParameters, readStoredSimulation, writeParameters } from './parameters-text.ts'

it('finds seconds and seed again, and is not misled by what a prompt says', () => {
  const anyPrompt = fc.oneof(fc.string(), fc.constantFrom('{"seconds":9,"seed":9', '"seed":1', ',"seed":5'))
  const anyParameters = fc.record(
    { prompt: anyPrompt, seed: fc.nat(), watermark: fc.boolean(), seconds: fc.nat(60), reference_images: fc.array(fc.string()) },
    { requiredKeys: ['prompt'] },
  )
  const anySimulation = fc.option(fc.record({ seconds: fc.nat(), lose_answer: fc.boolean() }, { requiredKeys: [] }))
  fc.assert(
    fc.property(anyParameters, anySimulation, (parameters, simulate) => {
      const stored = writeParameters(parameters, simulate)
      expect({ ...JSON.parse(stored.parameters), ...JSON.parse(stored.pictures ?? '{}') }).toEqual({
        ...parameters,
        ...(simulate && { simulate }),
      })
      expect(readStoredSimulation(stored.parameters)).toEqual(simulate)
      expect(stored.parameters).not.toContain('reference_images":')
      expect(readShownParameters(stored.parameters)).toEqual({
        seconds: parameters.seconds?.toString() ?? null,
        seed: parameters.seed?.toString() ?? null,
      })
    }),
  )
})

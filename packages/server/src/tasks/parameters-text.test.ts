import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  readBilledInputs,
  readParameters,
  readPromptExcerpt,
  readSecondsAndSeed,
  readStoredSimulation,
  withoutContent,
  writeParameters,
} from './parameters-text.ts'

it('seconds and seed are read from stored parameters exactly, whatever the prompt contains', () => {
  const anyPrompt = fc.oneof(fc.string(), fc.constantFrom('{"seconds":9,"seed":9', '"seed":1', ',"seed":5'))
  const anyParameters = fc.record(
    { prompt: anyPrompt, seed: fc.nat(), watermark: fc.boolean(), seconds: fc.nat(60), reference_images: fc.array(fc.string()) },
    { requiredKeys: ['prompt'] },
  )
  const anySimulation = fc.option(fc.record({ seconds: fc.nat(), lose_answer: fc.boolean() }, { requiredKeys: [] }))
  fc.assert(
    fc.property(anyParameters, anySimulation, (parameters, simulate) => {
      const storedTexts = writeParameters(parameters, simulate)
      const raw = { ...parameters, ...(simulate && { simulate }) }
      expect(readParameters(storedTexts.parameters, storedTexts.images)).toEqual(raw)
      // A reference other than a data URI is shown as given.
      expect(JSON.parse(storedTexts.parameters)).toEqual(raw)
      expect(readStoredSimulation(storedTexts.parameters)).toEqual(simulate)
      expect(readSecondsAndSeed(storedTexts.parameters)).toEqual({
        seconds: parameters.seconds?.toString() ?? null,
        seed: parameters.seed?.toString() ?? null,
      })
    }),
  )
})

it('billed inputs are stored with the parameters and shown in the task, but never passed to a driver', () => {
  const billed = { seconds: 2.5, images: 1 }
  const { parameters, images } = writeParameters({ prompt: '"billed_inputs":{"seconds":9}', seconds: 4 }, null, billed)
  expect(readBilledInputs(parameters)).toEqual(billed)
  expect(readBilledInputs(withoutContent(parameters))).toEqual(billed)
  expect(readParameters(parameters, images)).not.toHaveProperty('billed_inputs')
  expect(readBilledInputs(writeParameters({ prompt: '"billed_inputs"' }).parameters)).toBeNull()
})

it('data URIs are described in the stored parameters, and the driver gets the files as long as they are stored', () => {
  const bytes = Buffer.from('not really an image')
  const dataUri = `data:image/png;base64,${bytes.toString('base64')}`
  const asset = 'asset:asset_019bc186de0070009a4d2e6f8b0c3d52'
  const raw = { prompt: 'x', first_frame: dataUri, reference_images: [asset, dataUri, 'https://example.com/a.png?key=1'] }
  const described = {
    content_type: 'image/png',
    size_bytes: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  const { parameters, images } = writeParameters(raw)
  expect(JSON.parse(parameters)).toEqual({
    prompt: 'x',
    first_frame: described,
    reference_images: [asset, described, 'https://example.com/a.png?key=1'],
  })
  expect(parameters).not.toContain('base64')
  expect(readParameters(parameters, images)).toEqual(raw)
  expect(readParameters(parameters, null)).toEqual({ prompt: 'x' })
})

it('the excerpt of a prompt is the prompt, or its first hundred code points and an ellipsis', () => {
  const anyPrompt = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc
      .array(fc.constantFrom('"', '\\', '\n', '\u0001', '\u2028', '🦊', 'ü'), { minLength: 90, maxLength: 110 })
      .map((characters) => characters.join('')),
  )
  const anySimulation = fc.option(fc.record({ seconds: fc.nat(), lose_answer: fc.boolean() }, { requiredKeys: [] }))
  fc.assert(
    fc.property(anyPrompt, anySimulation, fc.option(fc.nat()), fc.option(fc.nat(60)), (prompt, simulate, seed, seconds) => {
      const fields = { ...(seed !== null && { seed }), ...(seconds !== null && { seconds }), negative_prompt: '"prompt":"no' }
      const excerpt = JSON.parse(readPromptExcerpt(writeParameters({ prompt, ...fields }, simulate).parameters) ?? 'null')
      const characters = Array.from(prompt)
      expect(excerpt).toBe(characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : prompt)
      expect(readPromptExcerpt(writeParameters(fields, simulate).parameters)).toBeNull()
    }),
  )
})

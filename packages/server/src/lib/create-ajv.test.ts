import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAjv } from './create-ajv.ts'

const text = fc.string({ unit: fc.constantFrom('a', '語', '🦊', '\ud800', '\udc00'), maxLength: 12 })

it('minLength and maxLength count code points, as Ajv does', () => {
  fc.assert(
    fc.property(text, fc.nat(12), fc.nat(12), (text, minLength, maxLength) => {
      const schema = { type: 'string', minLength, maxLength } as const
      expect(createAjv({ strict: true }).validate(schema, text)).toBe(new Ajv2020({ strict: true }).validate(schema, text))
    }),
    { numRuns: 300 },
  )
})

it('a wrong length is one error with its keyword and place', () => {
  const ajv = createAjv({ strict: true, allErrors: true })
  const validate = ajv.compile({ type: 'object', properties: { prompt: { type: 'string', maxLength: 2 } } })
  expect(validate({ prompt: '🦊🦊' })).toBe(true)
  expect(validate({ prompt: 'abc' })).toBe(false)
  expect(validate.errors).toMatchObject([{ keyword: 'maxLength', instancePath: '/prompt' }])
})

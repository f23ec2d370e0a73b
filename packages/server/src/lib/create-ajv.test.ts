import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAjv } from './create-ajv.ts'

const text = fc.string({ unit: fc.constantFrom('a', '語', '🦊', '\ud800', '\udc00'), maxLength: 12 })

it('minLength and maxLength count code points, as Ajv does', () => {
  const limits = (['minLength', 'maxLength'] as const).flatMap((keyword) =>
    Array.from({ length: 13 }, (_, limit) => ({ type: 'string', [keyword]: limit })),
  )
  const [createdAjv, ajv] = [createAjv({ strict: true }), new Ajv2020({ strict: true })]
  // The validators are compiled once, because compiling takes far longer than a validation.
  const pairs = limits.map((schema) => ({ schema, created: createdAjv.compile(schema), original: ajv.compile(schema) }))
  fc.assert(
    fc.property(text, (value) => {
      for (const { schema, ...validate } of pairs) {
        expect(validate.created(value), JSON.stringify(schema)).toBe(validate.original(value))
      }
    }),
    { numRuns: 300 },
  )
})

it('a wrong length is one error with its keyword and path', () => {
  const ajv = createAjv({ strict: true, allErrors: true })
  const validate = ajv.compile({ type: 'object', properties: { prompt: { type: 'string', maxLength: 2 } } })
  expect(validate({ prompt: '🦊🦊' })).toBe(true)
  expect(validate({ prompt: 'abc' })).toBe(false)
  expect(validate.errors).toMatchObject([{ keyword: 'maxLength', instancePath: '/prompt' }])
})

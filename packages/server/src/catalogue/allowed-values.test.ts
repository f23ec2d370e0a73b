import { expect, it } from 'vitest'
import { allowedValues } from './allowed-values.ts'
import type { ParameterSchema } from './model.ts'
import { videoPattern } from './shared-parameters.ts'

it.each<[ParameterSchema, string]>([
  [{ type: 'integer', minimum: 3, maximum: 15 }, '3 to 15'],
  [{ type: 'number', minimum: 0, maximum: 2.5 }, '0 to 2.5'],
  [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, 'a number from 0 below 1'],
  [{ type: 'integer' }, 'a whole number'],
  [{ type: 'array', items: { type: 'string', pattern: videoPattern }, maxItems: 3 }, '0 to 3 videos'],
  [{ type: 'array', items: { type: 'string', maxLength: 9 }, minItems: 1, maxItems: 3 }, '1 to 3 items'],
  [{ type: 'string', pattern: videoPattern }, 'video'],
  [{ type: 'string', maxLength: 5000 }, '0 to 5,000 characters'],
  [{ type: 'object', properties: { width: { type: 'integer' } } }, 'an object with width'],
  [{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, 'true or false or a whole number'],
])('the allowed values of %j are described as "%s"', (schema, text) => {
  expect(allowedValues(schema)).toBe(text)
})

import { expect, it } from 'vitest'
import type { FormField } from './form-field.tsx'
import { bodyOfForm, InvalidEntry } from './form-values.ts'

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'limit', label: 'Limit', kind: 'number' },
  { name: 'cost', label: 'Cost', kind: 'json' },
]

it('the body for a new object omits empty fields, and converts values to the types of their fields', () => {
  expect(bodyOfForm(fields, { name: 'a', limit: '2.5', cost: '' }, null, '')).toEqual({ name: 'a', limit: 2.5 })
  expect(bodyOfForm(fields, { cost: '{"per_second": 0.1}' }, null, '')).toEqual({ cost: { per_second: 0.1 } })
})

it('the body of a change has only changed fields, with null for removed values', () => {
  const initial = { name: 'a', limit: 5, cost: '{"per_task": 1}' }
  expect(bodyOfForm(fields, initial, initial, '')).toEqual({})
  expect(bodyOfForm(fields, { ...initial, limit: '', name: 'b' }, initial, '')).toEqual({ limit: null, name: 'b' })
})

it('text that is not JSON throws an error with the name of its field', () => {
  expect(() => bodyOfForm(fields, { cost: '{' }, null, 'not JSON')).toThrow(new InvalidEntry('cost', 'not JSON'))
})

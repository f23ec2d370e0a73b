import { expect, it } from 'vitest'
import type { ParameterSchema } from '@framegate/contract'
import { compareModels } from './compare-models.ts'

const modelWith = (schema: ParameterSchema) => ({ parameters: { own: schema }, required: [] })

function kindsOf(before: ParameterSchema, after: ParameterSchema): string[] {
  return compareModels(modelWith(before), modelWith(after)).map(({ kind }) => kind)
}

it.each<[string, ParameterSchema, ParameterSchema]>([
  ['a finer step', { type: 'integer', multipleOf: 4 }, { type: 'integer', multipleOf: 2 }],
  ['no step', { type: 'integer', multipleOf: 4 }, { type: 'integer' }],
  ['a longer text', { type: 'string', maxLength: 10 }, { type: 'string', maxLength: 20 }],
])('%s is a wider parameter', (_what, before, after) => {
  expect(kindsOf(before, after)).toEqual(['wider'])
})

it.each<[string, ParameterSchema, ParameterSchema]>([
  ['a coarser step', { type: 'integer', multipleOf: 2 }, { type: 'integer', multipleOf: 4 }],
  [
    'a smaller step that earlier values are no multiples of',
    { type: 'integer', multipleOf: 3 },
    { type: 'integer', multipleOf: 2 },
  ],
  ['choices', { type: 'string' }, { type: 'string', enum: ['a'] }],
])('%s is a narrower parameter', (_what, before, after) => {
  expect(kindsOf(before, after)).toEqual(['narrower'])
})

it.each<[string, ParameterSchema, ParameterSchema]>([
  ['another pattern', { type: 'string', maxLength: 10 }, { type: 'string', pattern: '^a$' }],
  ['choices in place of a length', { type: 'string', maxLength: 10 }, { type: 'string', enum: ['a'] }],
  ['other items', { type: 'array', maxItems: 2, items: { type: 'string' } }, { type: 'array', items: { type: 'integer' } }],
])('%s is a narrower parameter, even if a limit becomes wider', (_what, before, after) => {
  expect(kindsOf(before, after)).toEqual(['wider', 'narrower'])
})

it('a change of titles and descriptions is a drift of the kind prose', () => {
  expect(kindsOf({ type: 'string', title: 'One' }, { type: 'string', title: 'Other' })).toEqual(['prose'])
})

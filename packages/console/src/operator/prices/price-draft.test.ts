import { expect, it } from 'vitest'
import type { Model } from '../../api/types.ts'
import { amountNamesOf, draftOfJson, draftOfModel, priceOf, unitsOf } from './price-draft.ts'

function modelOf(type: Model['type'], price: unknown, resolution?: object, fixedResolution: string | null = null): Model {
  const properties = resolution === undefined ? {} : { resolution }
  return { type, price, parameters: { properties }, fixed_resolution: fixedResolution } as unknown as Model
}

it.each([
  ['video', ['second', 'task']],
  ['image', ['image', 'task']],
  ['text', ['task']],
  ['chat', ['token']],
  ['embedding', ['token']],
] as const)('a model of the type %s can have prices with the units %j', (type, units) => {
  expect(unitsOf(modelOf(type, null))).toEqual(units)
})

it.each([
  ['resolutions', modelOf('video', null, { enum: ['540p', '720p'] }), ['540p', '720p', '*']],
  ['one resolution', modelOf('video', null, { const: '720p' }), ['720p', '*']],
  ['a fixed resolution', modelOf('image', null, undefined, '2K'), ['2K', '*']],
  [
    'a price for a resolution that no provider in use has',
    modelOf('image', { unit: 'image', credits: { '4K': 1 } }),
    ['4K', '*'],
  ],
  ['no resolution', modelOf('text', null), ['*']],
  ['text generation', modelOf('chat', null), ['input', 'cached_input', 'output']],
  ['embeddings', modelOf('embedding', null), ['input', 'cached_input']],
])('a model with %s has a field for each of its amounts', (_, model, names) => {
  expect(amountNamesOf(model, draftOfModel(model))).toEqual(names)
})

it('a price stays the same in a draft, with the fields that the form does not show', () => {
  const price = {
    unit: 'second',
    credits: { '720p': 0.1, '*': 0 },
    audio_credits: 0.05,
    minimum_credits: 0.3,
    rounding: { to: 0.01, direction: 'up' },
    video_factor: 0.6,
  }
  expect(priceOf(draftOfModel(modelOf('video', price)))).toEqual(price)
})

it('a draft without the unit second omits the surcharge for audio and the minimum of a video', () => {
  const draft = draftOfModel(modelOf('video', { unit: 'second', credits: { '*': 0.1 }, audio_credits: 1, minimum_credits: 2 }))
  expect(priceOf({ ...draft, unit: 'task' })).toEqual({ unit: 'task', credits: { '*': 0.1 } })
})

it.each(['', 'null', '7', '{"unit": "task"}', '{"unit": "task", "credits": null}', '{"credits": {"*"'])(
  'the text %j is not a price',
  (text) => {
    expect(draftOfJson(text)).toBeNull()
  },
)

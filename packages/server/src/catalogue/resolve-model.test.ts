import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import { v1Families } from './model.ts'
import { requireInFamily, resolveModel } from './resolve-model.ts'

const catalogue = createCatalogue(defaultFamilies)

it.each(catalogue.models)('"$id" is resolved, and its display name is rejected with the ID in the message', (model) => {
  expect(resolveModel(catalogue, model.id)).toBe(model)
  for (const name of [model.displayName, model.title, model.displayName.toUpperCase()]) {
    const suggestion = `is a display name; the Model ID is ${JSON.stringify(model.id)}`
    expect(() => resolveModel(catalogue, name)).toThrow(
      expect.objectContaining({ code: 'model_not_found', param: 'model', message: expect.stringContaining(suggestion) }),
    )
  }
})

it.each(catalogue.models)('the error for a misspelling suggests "$id"', ({ id }) => {
  for (const misspelledId of [`${id} `, ` ${id}`, `${id}x`]) {
    expect(() => resolveModel(catalogue, misspelledId)).toThrow(`did you mean ${JSON.stringify(id)}?`)
  }
})

it.each([
  ['vidC2stable', 'vidC2Stable'],
  ['vidk_o3_video_generation', 'vidK O3 Video Generation'],
  ['sd_2.0_fast', 'sd_2.0_fast_special'],
  ['vidDq3pro', 'vidDq3-pro'],
  ['VEO 3.1', 'veo-3.1'],
])('the error for the Model ID %j suggests %j', (requested, suggestion) => {
  expect(() => resolveModel(catalogue, requested)).toThrow(`did you mean ${JSON.stringify(suggestion)}?`)
})

it('the error for an unknown Model ID names the request that lists all models if no ID is similar', () => {
  expect(() => resolveModel(catalogue, 'a model of mine')).toThrow('GET /v2/model-center/models lists every Model ID')
  expect(() => resolveModel(catalogue, '🐈'.repeat(1_000_000))).toThrow('there is no model')
})

it.each([undefined, null, '', 3, {}, ['veo-3.1']])('the Model ID %j is rejected as invalid_parameter', (requested) => {
  expect(() => resolveModel(catalogue, requested)).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'model' }))
})

it('resolving a model throws no other error than an AppError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })), (requested) => {
      try {
        resolveModel(catalogue, requested)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }),
  )
})

it('a v1 path serves its own family only, and its error for another model names the right path', () => {
  for (const model of catalogue.models) {
    for (const family of v1Families) {
      const correctPath =
        model.v1Family === null
          ? 'send the request to /v2/model-center/tasks'
          : `send the request to /v1/${model.v1Family}/videos or /v2/model-center/tasks`
      if (model.v1Family === family) requireInFamily(model, family)
      else
        expect(() => requireInFamily(model, family)).toThrow(
          expect.objectContaining({ code: 'model_not_in_family', message: expect.stringContaining(correctPath) }),
        )
    }
  }
})

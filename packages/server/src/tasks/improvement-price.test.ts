import { describe, expect, it } from 'vitest'
import { catalogueOf, createCatalogue } from '../catalogue/catalogue.ts'
import { defaultFamilies } from '../catalogue/default-families.ts'
import type { Model } from '../catalogue/model.ts'
import { perTask } from '../catalogue/price-rules.ts'
import { improvementPrice, improvingModel } from './improvement-price.ts'

const catalogue = createCatalogue(defaultFamilies)
const model = catalogue.find('imgA-5.0')!
const body = { model: model.id, prompt: 'a fox', improve_prompt: true }
const principal = { accountNo: 1, brandNo: 1, models: null }
const rulesWith = (rule = catalogue.find(improvingModel)!.price) => ({
  prices: { priceOf: () => (rule === null ? null : { rule, no: null }) },
  nowMs: 0,
})

describe('improvementPrice', () => {
  it('the price of an improvement is that of the text model', () => {
    expect(improvementPrice(rulesWith(), model, { body, catalogue, principal })).toBe(1_000)
    expect(improvementPrice(rulesWith(perTask(0.5)), model, { body, catalogue, principal })).toBe(500_000)
    expect(improvementPrice(rulesWith(perTask(0)), model, { body, catalogue, principal })).toBe(0)
  })

  it('a request without improve_prompt, or with false, has no improvement price', () => {
    const { improve_prompt: _improve, ...plainBody } = body
    expect(improvementPrice(rulesWith(), model, { body: plainBody, catalogue, principal })).toBeNull()
    expect(improvementPrice(rulesWith(), model, { body: { ...body, improve_prompt: false }, catalogue, principal })).toBeNull()
  })

  it('an improvement is rejected for a key that may not use the text model', () => {
    const restrictedPrincipal = { ...principal, models: new Set([model.id]) }
    expect(() => improvementPrice(rulesWith(), model, { body, catalogue, principal: restrictedPrincipal })).toThrow(
      /needs the model/,
    )
    const permittedPrincipal = { ...principal, models: new Set([model.id, improvingModel]) }
    expect(improvementPrice(rulesWith(), model, { body, catalogue, principal: permittedPrincipal })).toBe(1_000)
  })

  it('an improvement is rejected if the brand does not offer the text model', () => {
    const reducedCatalogue = catalogueOf(catalogue.models.filter(({ id }) => id !== improvingModel))
    expect(() => improvementPrice(rulesWith(), model, { body, catalogue: reducedCatalogue, principal })).toThrow(
      /needs the model/,
    )
    const hiddenModel = {
      ...catalogue.find(improvingModel)!,
      availability: { available: false, reason: 'brand_model_missing' },
    } as Model
    expect(() => improvementPrice(rulesWith(), model, { body, catalogue: catalogueOf([model, hiddenModel]), principal })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'improve_prompt' }),
    )
  })

  it('an improvement of a model without a prompt is rejected', () => {
    const { prompt: _prompt, ...properties } = model.parameters.properties
    const promptless = { ...model, parameters: { ...model.parameters, properties } }
    expect(() => improvementPrice(rulesWith(), promptless, { body, catalogue, principal })).toThrow(/needs a prompt/)
  })
})

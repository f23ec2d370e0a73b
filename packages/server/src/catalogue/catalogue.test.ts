import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { defaultFamilies } from './default-families.ts'
import { modelView } from './model-view.ts'
import { outputSize } from './output-size.ts'
import { parseParameters } from './parse-parameters.ts'
import { quotePrice } from './price.ts'
import { parameterNames } from './generation-parameters.ts'

const catalogue = createCatalogue(defaultFamilies)
const models = catalogue.models.map((model) => ({ id: model.id, model }))

// The Model IDs that clients use. They are repeated here so that a typo in a family file fails this
// test.
const publishedIds = [
  'imgA_5.0Pro',
  'imgA-5.0',
  'sd_2.5_discount_v1',
  'sd_2.5_special_v1',
  'sd_2.0_fast_special',
  'sd_2.0_mini_special',
  'sd_2.0_special',
  'sd_2.0_discount',
  'sd_2.0_fast_discount',
  'sd_2.0_mini_discount',
  'vidM-H3_933_1080p',
  'vidM-H3-2K-c1',
  'vidM-H3-768p',
  'vidM-H3-768p-c2',
  'videos_2.5_30_10_10_c5',
  'videos_30_10_10_c3',
  'vidH 1.1 v2 Image To Video',
  'vidH 1.1 v2 Reference Raw Video',
  'vidH 1.1 v2 Text To Video',
  'vidW3.0-prime-r2v-c1',
  'vidW3.0-video-r2v-c2',
  'vidK O3 Video Generation',
  'vidB_1_5_pro_720p',
  'vidB_1_5_pro_1080p',
  'vidB_2_0',
  'vidB_2_0_fast',
  'vidB_2_0_pro',
  'vidB_2_0_fast_pro',
  'vidC2Stable',
  'vendorVidC2',
  'vendorVidC2Stable',
  'vendorVidC2Plus',
  'vidDq3-pro',
  'vidDq3-turbo',
  'vidG_video3',
  'vidG_video3_pro',
  'veo-3.1',
  'veo-3.1-fast',
]

/** The specification mentions text processing, but no Model IDs for it. */
const textIds = ['text-prompt-enhance', 'text-storyboard', 'text-translate', 'text-caption']

describe('the catalogue', () => {
  it('the catalogue has exactly the published Model IDs, in their order, and then the text models', () => {
    expect(catalogue.models.map(({ id }) => id)).toEqual([...publishedIds, ...textIds])
  })

  it.each(publishedIds)('the Model ID %j is found only if every byte matches', (id) => {
    expect(catalogue.find(id)?.id).toBe(id)
    for (const variant of [`${id} `, ` ${id}`, id.toUpperCase(), id.toLowerCase(), id.replaceAll(' ', '_'), `${id}\u0000`]) {
      if (variant !== id) expect(catalogue.find(variant), variant).toBeUndefined()
    }
  })

  it('each display name and title belongs to one model and is never a Model ID', () => {
    const names = catalogue.models.flatMap(({ displayName, title }) => [displayName, title])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    const ids = new Set(catalogue.models.map(({ id }) => id.toLowerCase()))
    expect(names.filter((name) => ids.has(name.toLowerCase()))).toEqual([])
  })

  it('two models with the same ID are rejected', () => {
    expect(() => createCatalogue([...defaultFamilies, ...defaultFamilies])).toThrow("two models have the ID 'imgA_5.0Pro'")
  })

  it('imgA_5.0Pro is the only model that is visible but cannot be invoked', () => {
    const unavailable = catalogue.models.filter(({ availability }) => !availability.available)
    expect(unavailable.map(({ id, availability }) => [id, availability.reason])).toEqual([['imgA_5.0Pro', 'brand_model_missing']])
  })

  it('imgA_5.0Pro has exactly its published parameters', () => {
    const { properties, required, additionalProperties } = catalogue.find('imgA_5.0Pro')!.parameters
    const withoutDescriptions = JSON.parse(JSON.stringify(properties)) as Record<string, Record<string, unknown>>
    for (const schema of Object.values(withoutDescriptions)) delete schema['description']
    expect(withoutDescriptions).toEqual({
      model: { type: 'string', const: 'imgA_5.0Pro' },
      prompt: { type: 'string', minLength: 1, maxLength: 5_000 },
      reference_images: { type: 'array', items: expect.objectContaining({ type: 'string' }), maxItems: 10 },
      aspect_ratio: { type: 'string', enum: ['1:1', '3:4', '4:3', '16:9', '9:16', '3:2', '2:3', '21:9'], default: '1:1' },
      resolution: { type: 'string', enum: ['1K', '2K'], default: '1K' },
      watermark: { type: 'boolean', default: false },
    })
    expect(required).toEqual(['model', 'prompt'])
    expect(additionalProperties).toBe(false)
  })
})

describe.each(models)('$id', ({ id, model }) => {
  it('a model publishes a strict, plain JSON Schema with a description of every parameter', () => {
    const schema = modelView(model).parameters
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    const ajv = new Ajv2020({ strict: true })
    expect(ajv.validateSchema(schema)).toBe(true)
    const validate = ajv.compile(schema)
    for (const example of model.examples) expect(validate(example), ajv.errorsText(validate.errors)).toBe(true)
    expect(validate({ ...model.examples[0], model: `${id} ` })).toBe(false)
    for (const [name, property] of Object.entries(schema.properties)) {
      if (model.object !== 'text') expect(['model', ...parameterNames]).toContain(name)
      expect(property.description, name).toMatch(/./)
    }
  })

  it('the examples of a model can be parsed, priced and sized at every resolution', () => {
    expect(model.examples.length).toBeGreaterThan(0)
    for (const example of model.examples) {
      const { resolution } = model.parameters.properties
      const choices = resolution?.enum ?? [resolution?.const]
      for (const choice of choices) {
        const body = choice === undefined ? example : { ...example, resolution: choice }
        const parameters = parseParameters(model, body, () => true)
        expect(quotePrice(model, parameters)).toBeGreaterThan(0)
        const { width, height } = outputSize(model, parameters)
        expect((width % 2) + (height % 2)).toBe(0)
      }
    }
  })

  it('a model has a price for each of its resolutions, and a fixed resolution exactly if it has no parameter resolution', () => {
    const { resolution } = model.parameters.properties
    if (model.object === 'text') return expect(Object.keys(model.price?.microCredits ?? {})).toEqual(['*'])
    expect(resolution === undefined).toBe(model.fixedResolution !== null)
    const resolutions = (resolution?.enum ?? [resolution?.const ?? model.fixedResolution]).map(String)
    expect(Object.keys(model.price?.microCredits ?? {}).toSorted()).toEqual(resolutions.toSorted())
  })

  it('the capabilities of a model match its parameters', () => {
    const { first_frame, last_frame, reference_images, audio } = model.parameters.properties
    const needsImage = model.parameters.required.some((name) => name !== 'model' && name !== 'prompt')
    const kind = model.object
    if (kind === 'text') return expect(model.capabilities).toHaveLength(1)
    const expected = [
      !needsImage && `text-to-${kind}`,
      (first_frame !== undefined || id.startsWith('vidG')) && `image-to-${kind}`,
      last_frame && 'first-and-last-frame',
      reference_images && `reference-to-${kind}`,
      audio && 'audio',
    ].filter((capability) => typeof capability === 'string')
    expect([...model.capabilities].toSorted()).toEqual(expected.toSorted())
  })

  it('the view of a model shows its endpoints and its availability', () => {
    const { endpoints, available, parameters } = modelView(model)
    expect(endpoints.v2).toBe('/v2/model-center/tasks')
    expect(endpoints.v1).toBe(/^(vidB|vidC|vidD|vidG|veo)$/.test(model.family) ? `/v1/${model.family}/videos` : undefined)
    expect(available).toBe(id !== 'imgA_5.0Pro')
    expect(parameters.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(modelView(model, { available: true, reason: null }).available).toBe(true)
  })
})

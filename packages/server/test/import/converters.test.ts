import { describe, expect, it } from 'vitest'
import { readModelDocument } from '../../src/catalogue/definitions/read-model-document.ts'
import { assembleModel } from '../../src/catalogue/import/assemble-model.ts'
import { readFalDocument } from '../../src/catalogue/import/fal/fal-document.ts'
import type { ImportedModel } from '../../src/catalogue/import/imported-model.ts'
import { ImportError } from '../../src/catalogue/import/import-error.ts'
import { readForeignJson } from '../../src/catalogue/import/read-foreign-json.ts'
import { readReplicateDocument, readReplicateSource } from '../../src/catalogue/import/replicate/replicate-document.ts'
import { readRouteInput } from '../../src/routing/configuration/read-route-input.ts'
import { comfyuiWorkflows } from './comfyui-workflows.ts'
import { falDocument, falDocuments } from './fal-documents.ts'
import { hostileButUsable, hostileDocuments } from './hostile-documents.ts'
import { replicateDocuments, versionOf } from './replicate-documents.ts'

const parseDocument = (document: unknown) => readForeignJson(Buffer.from(JSON.stringify(document)), 'The schema')
const importFal = (...ids: string[]): ImportedModel =>
  assembleModel(
    ids.map((id) => readFalDocument(parseDocument(falDocuments.get(id)), id)),
    'imported',
  )
const importReplicate = (name: string): ImportedModel =>
  assembleModel([readReplicateDocument(parseDocument(replicateDocuments.get(name)), { name, version: null })], 'imported')

function violationsOf({ suggestedId: id, object, title, description, parameters, required, examples }: ImportedModel): unknown {
  return readModelDocument({ id, object, title, description, parameters, required, examples }).violations
}

/**
 * Returns the parameter, input field and notes to which one field of a video endpoint is converted.
 */
function convertField(
  name: string,
  schema: Record<string, unknown>,
  components: Record<string, Record<string, unknown>> = {},
  isRequired = false,
) {
  const document = falDocument({
    id: 'some/model',
    category: 'text-to-video',
    required: isRequired ? ['prompt', name] : ['prompt'],
    output: 'video',
    input: { prompt: { type: 'string' }, [name]: schema },
    components,
  })
  const model = assembleModel([readFalDocument(parseDocument(document), 'some/model')], 'imported')
  expect(violationsOf(model)).toEqual([])
  const parameterName = Object.keys(model.parameters).find((name) => name !== 'prompt') ?? ''
  return {
    parameterName,
    schema: model.parameters[parameterName],
    field: model.routes[0]?.input?.[parameterName],
    notes: model.notes.map(({ field, message }) => `${field}: ${message}`),
    model,
  }
}

/** Imports a video endpoint whose input has a prompt with an example, and these fields. */
function importWithFields(fields: Record<string, Record<string, unknown>>): ImportedModel {
  const document = falDocument({
    id: 'some/model',
    category: 'image-to-video',
    required: ['prompt'],
    output: 'video',
    input: { prompt: { type: 'string', examples: ['a kite'] }, ...fields },
  })
  return assembleModel([readFalDocument(parseDocument(document), 'some/model')], 'imported')
}

function lengthsOf(schema: Record<string, unknown>) {
  return convertField('duration', { type: 'integer', ...schema }).schema
}

describe('converters', () => {
  it('these tests have at least 12 fal schemas, 12 Replicate schemas, 6 workflows and 30 hostile schemas', () => {
    expect(falDocuments.size).toBeGreaterThanOrEqual(12)
    expect(replicateDocuments.size).toBeGreaterThanOrEqual(12)
    expect(Object.keys(comfyuiWorkflows).length).toBeGreaterThanOrEqual(6)
    expect(hostileDocuments.length).toBeGreaterThanOrEqual(30)
  })

  it.each([...falDocuments.keys()])("fal's %s becomes a valid definition and a route input", (id) => {
    const model = importFal(id)
    expect(violationsOf(model)).toEqual([])
    expect(readRouteInput(model.routes[0]?.input ?? {})).toEqual(model.routes[0]?.input)
    expect(Object.keys(model.parameters).every((name) => name in (model.routes[0]?.input ?? {}))).toBe(true)
  })

  it.each([...replicateDocuments.keys()])("Replicate's %s becomes a valid definition and a route input", (name) => {
    const model = importReplicate(name)
    expect(violationsOf(model)).toEqual([])
    expect(readRouteInput(model.routes[0]?.input ?? {})).toEqual(model.routes[0]?.input)
  })

  it("an import keeps the provider's field names, formats of seconds, example and cover image", () => {
    const model = importFal('fal-ai/veo3.1/image-to-video')
    expect(model).toMatchObject({
      object: 'video',
      required: ['prompt', 'first_frame'],
      examples: [{ prompt: 'A kite over dunes at dawn', first_frame: 'https://v3.fal.media/files/kite.png' }],
      cover: 'https://v3.fal.media/files/thumbnails/FalAiVeo31ImageToVideo.jpg',
      routes: [
        {
          upstreamModel: 'fal-ai/veo3.1/image-to-video',
          input: {
            seconds: { field: 'duration', values: { 4: '4s', 6: '6s', 8: '8s' } },
            first_frame: { field: 'image_url', required: true },
            audio: { field: 'generate_audio' },
            enhance_prompt: { field: 'auto_fix' },
          },
        },
      ],
    })
    expect(model.parameters['seconds']).toEqual({ enum: [4, 6, 8], default: 8 })
    expect(model.notes).toContainEqual({
      field: 'resolution',
      message: 'Values that only this model has can be requested too: 4K.',
    })
  })

  it('a route to an official Replicate model names the model, and any other route the version whose schema was read', () => {
    expect(importReplicate('google/veo-3.1').routes[0]?.upstreamModel).toBe('google/veo-3.1')
    expect(importReplicate('stability-ai/sdxl').routes[0]?.upstreamModel).toBe(
      `stability-ai/sdxl:${versionOf('stability-ai/sdxl')}`,
    )
    expect(readReplicateSource(`a/b:${'0'.repeat(64)}`)).toEqual({ name: 'a/b', version: '0'.repeat(64) })
    expect(() => readReplicateSource('a/b:v1')).toThrow('must be OWNER/NAME, or OWNER/NAME:VERSION')
  })

  it('several endpoints of one family become one model, with a route for the inputs of each', () => {
    const family = 'fal-ai/kling-video/v3/pro'
    const model = importFal(`${family}/text-to-video`, `${family}/image-to-video`, `${family}/reference-to-video`)
    expect(violationsOf(model)).toEqual([])
    expect(model.required).toEqual([])
    expect(model.routes.map(({ label }) => label)).toEqual(['text-to-video', 'image-to-video', 'reference-to-video'])
    expect(model.parameters['seconds']).toEqual({ enum: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], default: 5 })
    expect(model.parameters['guidance']).not.toHaveProperty('default')
    expect(model.routes[1]?.input).toMatchObject({ first_frame: { required: true }, aspect_ratio: { sent: false } })
    expect(model.routes[2]?.input).toMatchObject({ reference_images: { field: 'image_urls', required: true, maxItems: 4 } })
    expect(model.notes.some(({ field }) => field === 'image-to-video: aspect_ratio')).toBe(true)
  })

  it('endpoints with different kinds of results cannot become one model', () => {
    expect(() => importFal('fal-ai/nano-banana-2', 'fal-ai/veo3.1/image-to-video')).toThrow('import them as two models')
  })
})

describe('the conversion table', () => {
  it('a local reference is replaced by its target', () => {
    const { schema } = convertField(
      'mode',
      { $ref: '#/components/schemas/Mode' },
      { Mode: { type: 'string', enum: ['std', 'pro'] } },
    )
    expect(schema).toMatchObject({ type: 'string', enum: ['std', 'pro'] })
  })
  it('keywords beside an allOf take precedence', () => {
    const { schema } = convertField(
      'mode',
      { allOf: [{ $ref: '#/components/schemas/Mode' }], default: 'pro', title: 'Quality' },
      { Mode: { type: 'string', enum: ['std', 'pro'], default: 'std', title: 'Mode' } },
    )
    expect(schema).toMatchObject({ default: 'pro', title: 'Quality' })
  })
  it.for([
    ['nullable', { type: 'string', enum: ['a', null], nullable: true }],
    ['a list of types', { type: ['string', 'null'], enum: ['a', null] }],
    ['anyOf with null', { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    ['nullable without a type', { enum: ['a', null], nullable: true }],
  ] as const)('null is omitted from %s, because an absent field already means null', ([, schema]) => {
    expect(convertField('mode', { ...schema }).schema).toMatchObject({ type: 'string', enum: ['a'] })
  })
  it('a default beside an anyOf is kept', () => {
    expect(
      convertField('mode', { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }], default: 'b' }).schema,
    ).toMatchObject({ default: 'b' })
  })
  it('a union of an object and choices stays a union, and image_size is sent in pixels', () => {
    const point = { type: 'object', properties: { x: { type: 'integer' } } }
    expect(convertField('place', { anyOf: [point, { type: 'string', enum: ['left'] }] }).schema?.anyOf).toHaveLength(2)
    const { model } = convertField('image_size', {
      anyOf: [
        { type: 'object', properties: { width: { type: 'integer', maximum: 4096 }, height: { type: 'integer' } } },
        { enum: ['square'] },
      ],
    })
    expect(model.routes[0]?.input).toMatchObject({ size: { field: 'image_size' }, resolution: { enum: ['720p', '1080p'] } })
  })
  it('a boolean exclusiveMinimum of OpenAPI 3.0 becomes a number', () => {
    expect(convertField('shift', { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 5 }).schema).toMatchObject({
      exclusiveMinimum: 0,
      maximum: 5,
    })
    expect(convertField('shift', { type: 'number', minimum: 0, exclusiveMinimum: true }).schema).not.toHaveProperty('minimum')
  })
  it('a tuple of equal items becomes a list of that length, and a tuple of different items is omitted', () => {
    expect(
      convertField('point', {
        type: 'array',
        items: [
          { type: 'integer', title: 'X' },
          { type: 'integer', title: 'Y' },
        ],
      }).schema,
    ).toMatchObject({ items: { type: 'integer' }, minItems: 2, maxItems: 2 })
    expect(convertField('point', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }).notes).toEqual([
      'point: It was left out: it is a list of different items.',
    ])
  })
  it("pydantic's ge and le become bounds, and other annotations are removed", () => {
    const { schema } = convertField('scale', {
      type: 'number',
      ge: 0,
      le: 1,
      'x-order': 3,
      example: 0.5,
      discriminator: {},
      xml: {},
      deprecated: true,
    })
    expect(schema).toEqual({ type: 'number', minimum: 0, maximum: 1, title: 'Scale', 'x-advanced': true })
  })
  it('a text with the format uri keeps it, and other formats are omitted', () => {
    expect(convertField('depth_map', { type: 'string', format: 'uri' }).schema).toMatchObject({ format: 'uri' })
    expect(convertField('depth_map', { type: 'string', format: 'byte' }).schema).not.toHaveProperty('format')
  })
  it('a default that its own schema does not accept is omitted with a note', () => {
    const { schema, notes } = convertField('level', { type: 'integer', maximum: 3, default: 7 })
    expect(schema).not.toHaveProperty('default')
    expect(notes).toEqual(['level: Its default was left out, because it is not valid for its own schema.'])
  })
  it("a provider's example that the converted model does not accept is omitted", () => {
    const lastFrame = { type: 'string', examples: ['https://v3.fal.media/files/end.png'] }
    for (const fields of [
      { image_url: { type: 'string' }, end_image_url: lastFrame },
      { num_videos: { type: 'integer', maximum: 4, examples: [0] } },
      { mask_url: { type: 'string', examples: [7] } },
    ]) {
      const model = importWithFields(fields)
      expect(violationsOf(model)).toEqual([])
      expect(model.examples).toEqual([])
    }
    expect(importWithFields({ image_url: lastFrame, end_image_url: lastFrame }).examples).toHaveLength(1)
  })
  it('a list that must have more items than it may have is omitted', () => {
    const { schema, notes } = convertField('points', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 0 })
    expect([schema, notes]).toEqual([undefined, ['points: It was left out: it has a minItems above its maxItems.']])
  })
  it('lengths without a maximum include the default and the minimum, even above the shared maximum', () => {
    expect(lengthsOf({ default: 30 })).toEqual({ minimum: 1, maximum: 30, default: 30 })
    expect(lengthsOf({ minimum: 20 })).toEqual({ minimum: 20, maximum: 20 })
    expect(lengthsOf({ default: 5 })).toEqual({ minimum: 1, default: 5 })
    expect(lengthsOf({ default: 1e300 })).toEqual({ minimum: 1 })
    expect(lengthsOf({ maximum: 8, default: 9 })).toEqual({ minimum: 1, maximum: 8 })
  })
  it('a property that an object requires twice is required once', () => {
    const schema = { type: 'object', properties: { pan: { type: 'number' } }, required: ['pan', 'pan'] }
    expect(convertField('camera', schema).schema).toMatchObject({ required: ['pan'] })
  })
  it('choices outside of the bounds are omitted, and so is a field without a possible value', () => {
    expect(convertField('level', { type: 'integer', enum: [1, 5, 9], minimum: 4 }).schema).toMatchObject({ enum: [5, 9] })
    expect(convertField('level', { type: 'integer', enum: [1], minimum: 4 }).schema).toBeUndefined()
    const empty = convertField('level', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 })
    expect([empty.schema, empty.notes]).toEqual([undefined, ['level: It was left out: it has bounds that leave no valid value.']])
  })
  it('a resolution named like a property of every object cannot be requested', () => {
    const { schema, notes } = convertField('resolution', { type: 'string', enum: ['720p', 'constructor'] })
    expect([schema, notes]).toEqual([{ enum: ['720p'] }, ['resolution: Values that cannot be requested: constructor.']])
  })
  it('a linear pattern is kept, and any other is omitted with a note', () => {
    expect(convertField('code', { type: 'string', pattern: '^[a-z]{2}$' }).schema).toMatchObject({ pattern: '^[a-z]{2}$' })
    expect(convertField('code', { type: 'string', pattern: '^(a|aa)+$' }).notes).toEqual([
      'code: Its pattern was not kept; the provider still applies it.',
    ])
    expect(convertField('code', { type: 'string', pattern: String.raw`[\w-.]` }).schema).not.toHaveProperty('pattern')
  })
  it('a converted object accepts no unknown properties', () => {
    expect(convertField('camera', { type: 'object', properties: { pan: { type: 'number' } } }).schema).toMatchObject({
      additionalProperties: false,
    })
  })
  it('a bound above the largest safe integer is clamped', () => {
    expect(convertField('tiles', { type: 'integer', maximum: 2 ** 64 }).schema).toMatchObject({
      maximum: Number.MAX_SAFE_INTEGER,
    })
  })
  it('a converted description is one line without links and markup', () => {
    const { schema } = convertField('mode', {
      type: 'string',
      description: 'See [the <b>docs</b>](https://evil.example/x)\n\nor https://evil.example \u202enow',
    })
    expect(schema?.description).toBe('See the bdocs/b or  now')
  })

  it.for([
    [
      'duration',
      { type: 'string', enum: ['5', '10'], default: '5' },
      'seconds',
      { enum: [5, 10], default: 5 },
      { field: 'duration', values: { 5: '5', 10: '10' } },
    ],
    [
      'duration',
      { type: 'string', enum: ['4s', '8s'] },
      'seconds',
      { enum: [4, 8] },
      { field: 'duration', values: { 4: '4s', 8: '8s' } },
    ],
    ['duration', { type: 'integer', enum: [6, 8] }, 'seconds', { enum: [6, 8] }, { field: 'duration', enum: [6, 8] }],
    [
      'duration',
      { type: 'number', minimum: 1.5, maximum: 9.5, default: 5 },
      'seconds',
      { minimum: 2, maximum: 9, default: 5 },
      { field: 'duration', minimum: 2, maximum: 9 },
    ],
    ['image_url', { type: 'string' }, 'first_frame', {}, { field: 'image_url' }],
    [
      'image_urls',
      { type: 'array', items: { type: 'string' }, maxItems: 4 },
      'reference_images',
      { maxItems: 4 },
      { field: 'image_urls', maxItems: 4 },
    ],
    [
      'reference_image_url',
      { type: 'string' },
      'reference_images',
      { maxItems: 1 },
      { field: 'reference_image_url', as: 'first', maxItems: 1 },
    ],
    ['generate_audio', { type: 'boolean', default: true }, 'audio', { default: true }, { field: 'generate_audio' }],
    ['seed', { type: 'integer', minimum: -1, maximum: 2 ** 31 }, 'seed', { maximum: 2 ** 31 }, { maximum: 2 ** 31 }],
    [
      'ratio',
      { type: 'string', enum: ['auto', '5:4', '16:9'], default: 'auto' },
      'aspect_ratio',
      { enum: ['16:9', 'auto', '5:4'], default: 'auto' },
      { field: 'ratio', enum: ['16:9', 'auto', '5:4'] },
    ],
    [
      'resolution',
      { type: 'string', enum: ['720p', '4k', '<b>'] },
      'resolution',
      { enum: ['720p', '4K'] },
      { values: { '720p': '720p', '4K': '4k' } },
    ],
    [
      'size',
      { type: 'string', enum: ['1280*720', '720*1280'], default: '720*1280' },
      'aspect_ratio',
      { enum: ['16:9', '9:16'], default: '9:16' },
      { field: 'size', values: { '16:9': '1280*720', '9:16': '720*1280' } },
    ],
    [
      'resolution',
      { type: 'string', enum: ['720P', '1080P'] },
      'resolution',
      { enum: ['720p', '1080p'] },
      { values: { '720p': '720P', '1080p': '1080P' } },
    ],
    ['num_images', { type: 'integer', minimum: 1, maximum: 4 }, 'n', { maximum: 4 }, { field: 'num_images', maximum: 4 }],
    ['guidance_scale', { type: 'number' }, 'guidance', { type: 'number' }, { field: 'guidance_scale' }],
    ['num_inference_steps', { type: 'integer' }, 'steps', { type: 'integer' }, { field: 'num_inference_steps' }],
    ['prompt_optimizer', { type: 'boolean' }, 'enhance_prompt', { type: 'boolean' }, { field: 'prompt_optimizer' }],
    ['video_url', { type: 'string' }, 'input_video', {}, { field: 'video_url' }],
    ['keep_original_sound', { type: 'boolean' }, 'keep_audio', {}, { field: 'keep_original_sound' }],
    ['model', { type: 'string', enum: ['a', 'b'] }, 'provider_model', { enum: ['a', 'b'] }, { field: 'model' }],
  ] as const)('the field %s with the schema %j becomes %s', ([name, schema, parameterName, expected, field]) => {
    const converted = convertField(name, schema)
    expect(converted.parameterName).toBe(parameterName)
    expect(converted.schema).toMatchObject(expected)
    expect(converted.field).toEqual(field)
  })

  it.for([
    ['num_images', { type: 'integer' }, 1],
    ['watermark', { type: 'boolean', default: true }, false],
  ] as const)('the field %s has a fixed value, because the service sets it', ([name, schema, value]) => {
    const { model } = convertField(name, schema)
    expect(model.routes[0]?.extra).toEqual({ [name]: value })
    expect(Object.keys(model.parameters)).toEqual(['prompt'])
  })
  it.each(['sync_mode', 'enable_safety_checker'])('the field %s is not offered to clients', (name) => {
    expect(convertField(name, { type: 'boolean' }).notes[0]).toMatch(`${name}: It was left out: `)
  })
})

describe('hostile schemas', () => {
  it.for(hostileDocuments)('$title is rejected with a short error in less than 500 ms', ({ text, refusal }) => {
    const startedAtMs = performance.now()
    let message = ''
    try {
      assembleModel([readFalDocument(readForeignJson(Buffer.from(text), 'The schema of evil/model'), 'evil/model')], 'evil')
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError)
      message = (error as Error).message
    }
    expect(message).toMatch(refusal)
    expect(message.length).toBeLessThan(300)
    expect(performance.now() - startedAtMs).toBeLessThan(500)
  })

  it.for(hostileButUsable)('$title is omitted with a note', ({ text, note }) => {
    const model = assembleModel([readFalDocument(readForeignJson(Buffer.from(text), 'The schema'), 'evil/model')], 'evil')
    expect(violationsOf(model)).toEqual([])
    expect(model.notes.map(({ message }) => message).join('\n')).toMatch(note)
  })
})

it('a width without a height is left out, and rejected if the provider requires it, with the reason', () => {
  const width = { type: 'integer', minimum: 64, maximum: 2048 }
  const reason = 'a size can be sent only as a width and a height that accept any number in a range.'
  expect(convertField('width', width).notes).toEqual([`width: It was left out: ${reason}`])
  expect(() => convertField('width', width, {}, true)).toThrow(
    `The model requires the field width, which cannot be offered: ${reason}`,
  )
})

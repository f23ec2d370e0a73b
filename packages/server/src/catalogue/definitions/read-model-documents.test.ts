import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultFamilies } from '../default-families.ts'
import { matchesSchema } from './matches-schema.ts'
import { isEmptyRange } from './is-empty-range.ts'
import { isLinearPattern } from './linear-pattern.ts'
import { readModelDocument } from './read-model-document.ts'
import { readModelDocuments } from './read-model-documents.ts'

const flux = {
  id: 'flux-2-pro',
  object: 'image',
  title: 'FLUX.2 [pro]',
  description: 'Photorealistic images from words and up to eight references.',
  parameters: {
    prompt: {},
    aspect_ratio: { enum: ['1:1', '16:9', '9:16'], default: '16:9' },
    guidance: { type: 'number', minimum: 1, maximum: 20, default: 3.5, title: 'Guidance', 'x-advanced': true },
    reference_images: { maxItems: 8 },
  },
  required: ['prompt'],
  price: { per_image: 0.05 },
  source: { import: 'fal:fal-ai/flux-2-pro', digest: 'sha256:00' },
}

const builtInIds = defaultFamilies.flatMap(({ models }) => models.map(({ id }) => id))

function violationsOf(document: unknown): string[] {
  return readModelDocument(document).violations.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

function withParameter(schema: unknown): object {
  return { ...flux, parameters: { ...flux.parameters, own: schema } }
}

function defaultsOf(parameters: object): object {
  const { definition } = readModelDocument({ id: 'm', object: 'video', parameters })
  const properties = Object.entries(definition?.parameters.properties ?? {})
  return Object.fromEntries(properties.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])))
}

function descriptionOf(parameters: object, name: string): string | undefined {
  return readModelDocument({ id: 'm', object: 'video', parameters }).definition?.parameters.properties[name]?.description
}

function dataUriCharactersMax(...names: string[]): number | undefined {
  const parameters = Object.fromEntries(names.map((name) => [name, {}]))
  return readModelDocument({ id: 'm', object: 'video', parameters }).definition?.limits.dataUriCharactersMax
}

function schemaWithBounds(schema: object): unknown {
  return readModelDocument(withParameter(schema)).definition?.parameters.properties['own']
}

function readIds(...ids: string[]): readonly string[] {
  const documents = ids.map((id) => Object.assign({}, flux, { id }))
  return readModelDocuments(
    [{ label: 'models.yaml', documents, at: ['models'], lineOf: (path) => Number(path[1]) + 1 }],
    builtInIds,
  ).violations
}

it('a definition becomes a model with its parameters in their order', () => {
  const { definition, document, violations } = readModelDocument(flux)
  expect(violations).toEqual([])
  expect(document).toBe(flux)
  expect(definition).toMatchObject({
    id: 'flux-2-pro',
    object: 'image',
    title: 'FLUX.2 [pro]',
    family: 'custom',
    capabilities: ['text-to-image', 'reference-to-image'],
    price: { unit: 'image', microCredits: { '*': 50_000 } },
    limits: { deadlineSeconds: 600, promptCharactersMax: 5_000, referenceImagesMax: 8 },
  })
  const { properties, required } = definition?.parameters ?? {}
  expect(Object.keys(properties ?? {})).toEqual(['model', 'prompt', 'aspect_ratio', 'guidance', 'reference_images'])
  expect(properties?.['guidance']).toEqual(flux.parameters.guidance)
  expect(properties?.reference_images).toMatchObject({ maxItems: 8, items: { pattern: expect.stringContaining('asset:') } })
  expect(required).toEqual(['model', 'prompt'])
})

it('a shared parameter keeps its default if the definition accepts it, and otherwise gets a valid one', () => {
  expect(defaultsOf({ seconds: {}, resolution: {}, aspect_ratio: {} })).toEqual({
    seconds: 5,
    resolution: '720p',
    aspect_ratio: '16:9',
  })
  expect(defaultsOf({ seconds: { enum: [6, 10] }, resolution: { enum: ['1080p'] } })).toEqual({ seconds: 6, resolution: '1080p' })
  expect(defaultsOf({ seconds: { minimum: 8 }, resolution: { const: '4K' } })).toEqual({ seconds: 8, resolution: '4K' })
  expect(defaultsOf({ seconds: { enum: [4, 30], default: 30 } })).toEqual({ seconds: 30 })
  expect(defaultsOf({ seconds: { minimum: 4, maximum: 12, multipleOf: 4 } })).toEqual({ seconds: 8 })
  expect(defaultsOf({ seconds: { maximum: 5, multipleOf: 3 } })).toEqual({ seconds: 3 })
})

it('the description of a shared list parameter states the lengths that the definition allows', () => {
  expect(descriptionOf({ reference_images: {} }, 'reference_images')).toContain('0 to 10')
  expect(descriptionOf({ reference_images: { maxItems: 8 } }, 'reference_images')).toContain('0 to 8')
  expect(descriptionOf({ reference_videos: { minItems: 1, maxItems: 3 } }, 'reference_videos')).toContain('1 to 3')
  expect(descriptionOf({ reference_images: { maxItems: 8, description: 'Own text.' } }, 'reference_images')).toBe('Own text.')
})

it('the price of a video model is read per second or task, for all resolutions or by resolution', () => {
  const video = { id: 'm', object: 'video', parameters: { prompt: {}, seconds: {}, resolution: { enum: ['720p', '1080p'] } } }
  const priceOf = (price: unknown) => readModelDocument({ ...video, price }).definition?.price
  expect(priceOf({ per_second: 0.1 })).toMatchObject({ unit: 'second', microCredits: { '*': 100_000 } })
  expect(priceOf({ per_second: { '720p': 0.1, '*': 0.2 }, minimum_credits: 0.3 })).toMatchObject({ minimumMicroCredits: 300_000 })
  expect(priceOf({ unit: 'task', credits: { '*': 0 } })).toMatchObject({ unit: 'task', microCredits: { '*': 0 } })
  expect(priceOf(undefined)).toBeNull()
  expect(violationsOf({ ...video, price: { per_second: { '720p': 1 } } })).toEqual([
    'price: must have the resolution 1080p, or * for all other resolutions',
  ])
  expect(violationsOf({ ...video, price: { per_second: 1, per_task: 2 } })).toEqual([
    'price: must have only one of per_image, per_second, per_task, per_million_tokens and unit',
  ])
  expect(violationsOf({ id: 'm', object: 'video', parameters: { prompt: {} }, price: { per_task: {} } })).toEqual([
    'price: must have per_task.*, because the model has no resolutions',
  ])
  expect(violationsOf({ id: 'm', object: 'video', parameters: { prompt: {} }, price: { per_second: 1 } })).toEqual([
    'price: cannot be per second, because the model has no parameter seconds with a default; set a price per task',
  ])
})

it('a model accepts data URIs if any of its parameters names files', () => {
  expect(dataUriCharactersMax('prompt')).toBe(0)
  for (const name of ['first_frame', 'reference_images', 'mask', 'input_video', 'reference_audios'])
    expect([name, dataUriCharactersMax('prompt', name)]).toEqual([name, 12 * 1024 * 1024])
})

describe('limits on input files in a definition', () => {
  const model = { id: 'm', object: 'video', parameters: { prompt: {}, reference_videos: {}, reference_audios: {} } }

  it('limits of a file, of a kind and of all files together are read', () => {
    const video = {
      types: ['video/mp4'],
      seconds_min: 2,
      seconds_max: 15,
      seconds_total_max: 15,
      pixels_max: 8_295_044,
      fps_min: 24,
    }
    const { definition } = readModelDocument({ ...model, inputs: { video, audio: { bytes_max: 1e6 }, files_max: 12 } })
    expect(definition?.inputLimits).toEqual({
      video: { types: ['video/mp4'], secondsMin: 2, secondsMax: 15, secondsTotalMax: 15, pixelsMax: 8_295_044, fpsMin: 24 },
      audio: { bytesMax: 1e6 },
      filesMax: 12,
    })
    expect(readModelDocument(model).definition).not.toHaveProperty('inputLimits')
  })

  it.each([
    [[], 'inputs: must be a map with video, audio or files_max'],
    [{ vidoe: {} }, 'inputs.vidoe: is not a limit of inputs; did you mean video?'],
    [{ video: { second_max: 1 } }, 'inputs.video.second_max: is not a limit of video; did you mean seconds_max?'],
    [{ audio: { fps_max: 30 } }, /^inputs.audio.fps_max: is not a limit of audio/],
    [{ video: 3 }, /^inputs.video: must be a map of limits: types, bytes_max/],
    [{ video: { types: ['video/avi'] } }, 'inputs.video.types: must be a list of video/mp4, video/quicktime, video/webm'],
    [{ video: { seconds_max: 601 } }, 'inputs.video.seconds_max: must be a number above 0 and at most 600'],
    [{ video: { seconds_min: 5, seconds_max: 4 } }, 'inputs.video.seconds_min: must be at most seconds_max, 4'],
    [{ files_max: '12' }, 'inputs.files_max: must be a number above 0 and at most 1000'],
  ])('limits of %j are rejected', (inputs, expected) => {
    const violations = violationsOf({ ...model, inputs })
    expect(violations).toHaveLength(1)
    if (typeof expected === 'string') expect(violations[0]).toBe(expected)
    else expect(violations[0]).toMatch(expected)
  })

  it('limits on a kind of file that the model does not accept are rejected', () => {
    expect(
      violationsOf({ ...model, parameters: { prompt: {}, input_video: {} }, inputs: { audio: { seconds_max: 9 } } }),
    ).toEqual(['inputs.audio: is a limit for a kind of file that no parameter of the model accepts'])
  })
})

describe('an untrusted parameter schema', () => {
  it.each([
    [
      'a keyword of another document',
      { $ref: 'https://example.com/x.json' },
      /own.\$ref: is not supported; write the schema itself/,
    ],
    ['a misspelled keyword', { type: 'number', minumum: 1 }, /own.minumum: is not a keyword .*; did you mean minimum\?/],
    ['a keyword of another type', { type: 'string', minimum: 1 }, /own.minimum: is not a keyword for the type string/],
    ['no type', { title: 'x' }, /own.type: must be one of string/],
    ['a list of types', { type: ['string', 'null'] }, /own.type: .*leave null out/],
    ['a nullable flag', { type: 'string', nullable: true }, /own.nullable: is not supported; omit it/],
    ['a slow pattern', { type: 'string', pattern: '^(a+)+$' }, /own.pattern: must start with/],
    ['a conditional', { type: 'string', if: {} }, /own.if: is not a keyword/],
    [
      'a default outside of its bounds',
      { type: 'integer', minimum: 2, default: 1 },
      /own.default: must be a valid value of the parameter/,
    ],
    ['a boolean bound of OpenAPI 3.0', { type: 'number', exclusiveMinimum: true }, /own.exclusiveMinimum: must be a number/],
    ['an inexact integer', { type: 'integer', maximum: 2 ** 64 }, /own.maximum: must be a whole number that is exact/],
    ['reversed bounds', { type: 'integer', minimum: 5, maximum: 4 }, /own.minimum: must be at most maximum, 4/],
    [
      'a choice outside of its bounds',
      { type: 'integer', enum: [7, 1], minimum: 5 },
      /own.enum.1: .* valid for the other keywords$/,
    ],
    ['a const that is not a choice', { type: 'string', enum: ['a'], const: 'b' }, /own.const: .* valid for the other keywords$/],
    [
      'bounds without a whole number between them',
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      /own: must have bounds that leave at least one valid value$/,
    ],
    [
      'bounds without a multiple between them',
      { type: 'number', minimum: 1.1, maximum: 1.9, multipleOf: 1 },
      /own: must have bounds/,
    ],
    ['a tuple', { type: 'array', prefixItems: [] }, /own.prefixItems: is not supported/],
    ['a list without items', { type: 'array' }, /own.items: is required/],
    ['an enum of objects', { type: 'string', enum: [{}] }, /own.enum.0: must be a string/],
    ['a repeated choice', { type: 'string', enum: ['a', 'a'] }, /own.enum: must contain each value only once/],
    [
      'unique objects',
      { type: 'array', items: { type: 'object' }, uniqueItems: true },
      /own.uniqueItems: .*can be true only for strings/,
    ],
    [
      'a property named __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      /__proto__: must be a name/,
    ],
    [
      'a required name without a property',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
      /own.required.0: must be one of a/,
    ],
    ['a null alternative', { anyOf: [{ type: 'string' }, { type: 'null' }] }, /own.anyOf.1: must be omitted/],
    ['text instead of a schema', 'string', /own: must be a JSON Schema/],
    [
      'a bidirectional override in a title',
      { type: 'string', title: 'a\u202eb' },
      /own.title: must not contain control characters/,
    ],
  ])('a schema with %s is rejected with a message that names the field', (_what, schema, expected) => {
    expect(violationsOf(withParameter(schema)).join('\n')).toMatch(expected)
  })

  it('a schema that is nested too deep, has too many parts or is too large is rejected', () => {
    let nestedSchema: object = { type: 'string' }
    for (let level = 0; level < 5_000; level++) nestedSchema = { type: 'array', items: nestedSchema }
    expect(violationsOf(withParameter(nestedSchema)).join()).toMatch(/nested more than 36 levels deep, or contains itself/)
    let tooDeepSchema: object = { type: 'string' }
    for (let level = 0; level < 13; level++) tooDeepSchema = { type: 'array', items: tooDeepSchema }
    expect(violationsOf(withParameter(tooDeepSchema)).join()).toMatch(/nested more than 12 levels deep$/)
    const cyclic: { type: string; items?: object } = { type: 'array' }
    cyclic.items = cyclic
    expect(violationsOf(withParameter(cyclic)).join()).toMatch(/or contains itself/)
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, { type: 'string' }])),
    }
    expect(violationsOf(withParameter(wide))).toEqual([expect.stringMatching(/exceeds the limit of 500 schemas/)])
    expect(violationsOf(withParameter({ type: 'string', enum: Array.from({ length: 2_001 }, String) }))).toEqual([
      expect.stringMatching(/own.enum: must be a list of 1 to 2000 values/),
    ])
    expect(violationsOf({ ...flux, description: 'x'.repeat(300_000) })).toEqual([
      expect.stringMatching(/larger than 262144 characters/),
    ])
  })

  it('a schema without bounds gets default bounds', () => {
    expect(schemaWithBounds({ type: 'string' })).toEqual({ type: 'string', maxLength: 10_000 })
    expect(schemaWithBounds({ type: 'array', items: { type: 'integer' } })).toMatchObject({ maxItems: 100 })
    expect(schemaWithBounds({ type: 'object', properties: { a: { type: 'boolean' } } })).toMatchObject({
      additionalProperties: false,
    })
    expect(schemaWithBounds({ enum: ['a', 'b'] })).toEqual({ type: 'string', enum: ['a', 'b'] })
    expect(schemaWithBounds({ type: 'string', default: null })).toEqual({ type: 'string', maxLength: 10_000 })
  })
})

it('a generated example with a last frame has a first frame, which every such request needs', () => {
  const model = { id: 'm', object: 'video', parameters: { first_frame: {}, last_frame: {} }, required: ['last_frame'] }
  expect(readModelDocument(model).definition?.examples).toMatchObject([
    { first_frame: expect.stringMatching(/^https/), last_frame: expect.stringMatching(/^https/) },
  ])
  expect(violationsOf({ ...model, examples: [{ last_frame: 'https://example.com/a.png' }] })).toEqual([
    'examples.0: must have first_frame, because it has last_frame',
  ])
})

it('several errors of a definition are reported together', () => {
  expect(
    violationsOf({
      id: 7,
      object: 'song',
      titel: 'x',
      parameters: [],
      required: 'prompt',
      deadline: 0.5,
      price: { per_image: -1 },
    }),
  ).toEqual([
    'titel: is not a field of a model; did you mean title?',
    'id: must be a string, the ID that clients send; put it in quotation marks',
    'object: must be one of image, video, chat, embedding, moderation',
    'deadline: must be a whole number of seconds from 1 to 604800',
  ])
  expect(
    violationsOf({
      ...flux,
      parameters: { prompt: { maxLength: 60_000 }, seconds: {}, model: {}, own: {}, seed: { type: 'string' } },
    }),
  ).toEqual([
    'parameters.prompt.maxLength: must be at most 50000',
    'parameters.seconds: is not a parameter of image models',
    'parameters.model: is the name of another field of requests or tasks and cannot be a parameter',
    expect.stringMatching(/^parameters.own: must have a type/),
    'parameters.seed.type: must be integer, as in the shared definition of seed; rename the parameter if it has another type',
  ])
  expect(violationsOf({ ...withParameter({}), examples: [7], price: { per_image: -1 } })).toEqual([
    expect.stringMatching(/^parameters.own: must have a type/),
    'examples.0: must be a request body without model',
    expect.stringMatching(/^price: must have per_image/),
  ])
  // A price by resolution cannot be checked without the resolutions.
  expect(
    violationsOf({ ...flux, required: [], parameters: { resolution: { enum: [] } }, price: { per_image: { '1K': 1 } } }),
  ).toHaveLength(1)
})

it.each(['constructor', '__proto__', 'toString'])(
  'the resolution %s, a property of every JavaScript object, is rejected',
  (name) => {
    expect(violationsOf({ ...flux, parameters: { resolution: { enum: ['1K', name] } }, required: [] })).toEqual([
      `parameters.resolution: must not have the value ${name}, which is a property of every JavaScript object`,
    ])
  },
)

it('a numeric range counts as empty exactly when no number is within its bounds', () => {
  const bound = fc.integer({ min: -4, max: 8 })
  const optional = fc.option(bound, { nil: undefined })
  const bounds = { minimum: optional, maximum: optional, exclusiveMinimum: optional, exclusiveMaximum: optional }
  fc.assert(
    fc.property(fc.record({ ...bounds, multipleOf: fc.constantFrom(undefined, 1, 2, 3) }), (parameterSchema) => {
      const schema = { type: 'integer' as const, ...(JSON.parse(JSON.stringify(parameterSchema)) as object) }
      const hasValue = Array.from({ length: 41 }, (_, index) => index - 20).some((value) => matchesSchema(value, schema))
      expect(isEmptyRange(schema)).toBe(!hasValue)
    }),
  )
})

describe('the ID of a defined model', () => {
  it('the ID of a defined model may have spaces, slashes and letters of a single alphabet', () => {
    expect(readIds('Flux 2 Pro', 'fal-ai/flux-2', '可灵 3.0', 'модель')).toEqual([])
  })

  it.each([
    [
      'of a built-in model',
      ['vidDq3-pro'],
      'models.yaml, line 1: models[0].id must be unique: "vidDq3-pro" is also the ID of a built-in model.',
    ],
    ['of a built-in model in another case', ['VIDDQ3-PRO'], 'looks like "vidDq3-pro" of a built-in model'],
    ['used twice', ['a', 'a'], 'models.yaml, line 2: models[1].id must be unique: "a" is also the ID of models.yaml, line 1.'],
    ['that differs in case only', ['Flux', 'flux'], '"flux" looks like "Flux" of models.yaml, line 1'],
    ['with a dash that looks like another', ['a-b', 'a\u2010b'], 'looks like "a-b"'],
    ['with a minus sign', ['vidDq3\u2212pro'], 'looks like "vidDq3-pro" of a built-in model'],
    ['that another alphabet imitates', ['ape', 'аре'], 'looks like "ape"'],
    ['of mixed alphabets', ['fluх'], 'must not mix Latin letters'],
    ['of Latin and Lisu letters', ['fluꓫ'], 'must not mix Latin letters'],
    ['with phonetic letters', ['magic', 'mɑɡıc'], 'looks like "magic"'],
    ['with a letter that looks like a sign', ['go!', 'goǃ'], 'looks like "go!"'],
    ['with full-width letters', ['ｆｌｕｘ'], 'must be in Unicode normalization form NFKC: "flux"'],
    ['with a control character', ['a\u0007'], 'must consist of printable characters'],
    ['with an invisible character', ['a\u200bb'], 'must consist of printable characters'],
    ['with a line break', ['a\nb'], 'must consist of printable characters'],
    ['that begins with a space', [' a'], 'must not begin or end with a space'],
    ['of too many characters', ['a'.repeat(129)], 'must have at most 128 characters'],
    ['that stands for all models', ['*'], 'must not be *'],
    ['that is empty', [''], 'must not be empty'],
  ])('the ID %s is rejected', (_what, ids, expected) => {
    expect(readIds(...ids).join()).toContain(expected)
  })
})

it('a pattern counts as linear only if matching takes linear time', () => {
  for (const validPattern of ['^[a-z]+$', '^#[0-9a-fA-F]{6}$', String.raw`^\d{1,4}x\d{1,4}$`, '^[a-z]+-[0-9]*$', '^a?b$'])
    expect([validPattern, isLinearPattern(validPattern)]).toEqual([validPattern, true])
  for (const invalidPattern of [
    '^(a+)+$',
    '^a*a*$',
    'a+$',
    '^a|b$',
    '^(?=a)a$',
    String.raw`^\d+[0-9]$`,
    '^.*x$',
    '^[a-z]*[a-f]?x$',
    String.raw`^(a)\1$`,
  ]) {
    expect([invalidPattern, isLinearPattern(invalidPattern)]).toEqual([invalidPattern, false])
  }
  const atoms = fc.constantFrom('a', 'b', '[ab]', String.raw`\d`, '[^a]', '.', 'é')
  const quantifiers = fc.constantFrom('', '*', '+', '?', '{2,9}')
  fc.assert(
    fc.property(fc.array(fc.tuple(atoms, quantifiers), { maxLength: 8 }), fc.constantFrom('a', 'ab', '1', 'é'), (parts, unit) => {
      const pattern = `^${parts.map((part) => part.join('')).join('')}$`
      if (!isLinearPattern(pattern)) return
      const cpuBefore = process.threadCpuUsage().user
      new RegExp(pattern, 'u').test(`${unit.repeat(100_000)}!`)
      // A pattern with quadratic time would take more than ten seconds.
      expect(process.threadCpuUsage().user - cpuBefore).toBeLessThan(2_000_000)
    }),
  )
})

it('the check of a default handles inexact quotients, unknown properties and repeated items', () => {
  expect(matchesSchema(0.3, { type: 'number', multipleOf: 0.1 })).toBe(true)
  expect(matchesSchema(0.35, { type: 'number', multipleOf: 0.1 })).toBe(false)
  expect(
    matchesSchema(
      { width: 1, other: 2 },
      { type: 'object', properties: { width: { type: 'integer' } }, additionalProperties: false },
    ),
  ).toBe(false)
  expect(matchesSchema(['a', 'a'], { type: 'array', items: { type: 'string' }, uniqueItems: true })).toBe(false)
})

it('more models than the limit are rejected, and the error has the position of the first excess model', () => {
  const documents = Array.from({ length: 10_001 }, (_, index) => ({ ...flux, id: `m${index}` }))
  const source = { label: 'models.json', documents, at: [], lineOf: (path: readonly unknown[]) => Number(path[0]) + 1 }
  expect(readModelDocuments([{ ...source, documents: documents.slice(1) }], builtInIds).violations).toEqual([])
  expect(readModelDocuments([source], builtInIds).violations).toEqual([
    'models.json, line 10001: exceeds the limit of 10000 models in all files together.',
  ])
})

const chat = { id: 'harbor-chat', object: 'chat', max_input_tokens: 8000, max_output_tokens: 1000 }

it('a token model has limits and a price for tokens, and its schema accepts all other fields of a request', () => {
  const { definition } = readModelDocument({ ...chat, price: { per_million_tokens: { input: 0.15, output: 0.6 } } })
  expect(definition).toMatchObject({
    object: 'chat',
    tokens: { inputMax: 8000, outputMax: 1000 },
    price: { unit: 'token', microCredits: { input: 150_000, output: 600_000 } },
    parameters: { required: ['model', 'messages'], additionalProperties: true },
  })
  expect(violationsOf({ id: 'harbor-embedding', object: 'embedding', max_input_tokens: 8000 })).toEqual([])
})

it.each([
  [{ object: 'chat' }, ['max_input_tokens: must be a whole number of tokens from 1', 'max_output_tokens: must be']],
  [{ ...chat, max_output_tokens: 0 }, ['max_output_tokens: must be a whole number']],
  [{ ...chat, object: 'moderation' }, ['max_output_tokens: is not allowed f']],
  [{ ...chat, parameters: { prompt: {} } }, ['parameters: is not allowed for chat models']],
  [{ ...chat, price: { per_image: 1 } }, ['price: must have the unit token']],
  [{ ...chat, price: { per_million_tokens: { input: 1 } } }, ['price: must have per_million_tokens.output from 0']],
  [
    { ...chat, price: { per_million_tokens: { input: 1, output: 1 }, rounding: { to: 1, direction: 'up' } } },
    ['price: must not have'],
  ],
  [{ ...flux, max_input_tokens: 8000 }, ['max_input_tokens: is not allowed for image and video models']],
  [{ ...flux, price: { per_million_tokens: { input: 1, output: 1 } } }, ['price: must']],
  [{ ...flux, object: 'sound' }, ['object: must be one of image, video, chat, embedding, moderation']],
])('the model %j is rejected, and the error names each invalid field', (document, beginnings) => {
  const violations = violationsOf({ id: 'harbor', ...document })
  expect(violations.map((sentence, index) => sentence.slice(0, beginnings[index]?.length))).toEqual(beginnings)
})

import { Type, type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { modelTypes } from './parameters.ts'

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
const scalar = { type: ['string', 'number', 'boolean'] } as const

/**
 * The JSON Schema of a parameter, or of a nested value. It is limited to keywords that can be
 * checked in linear time and explained in an error message.
 */
export interface ParameterSchema {
  /** Absent only with `anyOf`. */
  type?: (typeof types)[number]
  title?: string
  description?: string
  default?: unknown
  const?: string | number | boolean
  enum?: readonly (string | number | boolean)[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: ParameterSchema
  properties?: Readonly<Record<string, ParameterSchema>>
  required?: readonly string[]
  additionalProperties?: boolean
  maxProperties?: number
  anyOf?: readonly ParameterSchema[]
  examples?: readonly unknown[]
  /** Hint for forms: show the parameter among the advanced settings. */
  'x-advanced'?: boolean
}

const number = { type: 'number' } as const
const count = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const nested = { $ref: '#/$defs/parameter' } as const

const ParameterReferenceDefinition = {
  type: 'object',
  description: 'The JSON Schema of one parameter.',
  additionalProperties: false,
  properties: {
    type: { type: 'string', enum: types },
    title: text,
    description: text,
    default: {},
    const: scalar,
    enum: { type: 'array', items: scalar },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: number,
    minLength: count,
    maxLength: count,
    pattern: text,
    format: text,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    items: nested,
    properties: { type: 'object', additionalProperties: nested },
    required: { type: 'array', items: text },
    additionalProperties: flag,
    maxProperties: count,
    anyOf: { type: 'array', items: nested },
    examples: { type: 'array' },
    'x-advanced': flag,
  } satisfies Record<keyof ParameterSchema, object>,
} as const

/**
 * Schema of a parameter reference. The OpenAPI document has a less strict version, because client
 * generators do not support a schema of schemas.
 */
export const ParameterReferenceSchema = Type.Object(
  {
    $schema: Type.Literal('https://json-schema.org/draft/2020-12/schema'),
    type: Type.Literal('object'),
    properties: Type.Unsafe<Record<string, ParameterSchema>>({
      type: 'object',
      additionalProperties: nested,
    }),
    required: Type.Array(Type.String()),
    dependentRequired: Type.Optional(
      Type.Unsafe<Record<string, string[]>>({
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      }),
    ),
    anyOf: Type.Optional(
      Type.Array(Type.Object({ required: Type.Array(Type.String()) }), {
        description: 'Sets of parameters. A request must contain all parameters of at least one set.',
      }),
    ),
    additionalProperties: Type.Boolean(),
  },
  { $defs: { parameter: ParameterReferenceDefinition } },
)

const RoundingSchema = Type.Object(
  {
    to: Type.Number({ exclusiveMinimum: 0, description: 'Credits.' }),
    direction: Type.Unsafe<'up' | 'nearest' | 'down'>({ type: 'string', enum: ['up', 'nearest', 'down'] }),
  },
  { description: 'Rounding of held and charged amounts to multiples of `to`.' },
)

const commonPriceFields = {
  input_second_credits: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'number' },
      description:
        'Credits per second of input video, by the resolution of the result. `*` stands for all other resolutions. Charged ' +
        'once per result; with the unit `task`, once per task.',
    }),
  ),
  video_factor: Type.Optional(
    Type.Number({
      description:
        'If the request has an input video, the price of the result and of input seconds is multiplied by this factor.',
    }),
  ),
  input_image_credits: Type.Optional(
    Type.Number({
      description:
        'Credits for each input image, including first and last frames. Charged once per result; with the unit `task`, once ' +
        'per task.',
    }),
  ),
  input_images_free: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of input images for which `input_image_credits` is not charged. It requires `input_image_credits`.',
    }),
  ),
  minimum_task_credits: Type.Optional(Type.Number({ description: 'Minimum price of a completed task.' })),
  rounding: Type.Optional(RoundingSchema),
}
const CommonPriceFieldsSchema = Type.Object(commonPriceFields)
export type CommonPriceFields = Static<typeof CommonPriceFieldsSchema>

export const PriceSchema = Type.Union(
  [
    Type.Object({
      unit: Type.Unsafe<'image' | 'task' | 'token'>({ type: 'string', enum: ['image', 'task', 'token'] }),
      credits: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'number' },
        description:
          'Credits per image or task, by resolution. `*` stands for all other resolutions. With the unit `token`: credits per ' +
          'million tokens of `input`, `cached_input` and `output`. The amount of a request is rounded up to a millionth of a credit.',
      }),
      ...commonPriceFields,
    }),
    Type.Object({
      unit: Type.Literal('second'),
      credits: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'number' },
        description: 'Credits per second, by resolution. `*` stands for all other resolutions.',
      }),
      audio_credits: Type.Number({ description: 'Surcharge per second if `audio` is true.' }),
      minimum_credits: Type.Number({ description: 'Minimum price of a completed video.' }),
      ...commonPriceFields,
    }),
  ],
  {
    description:
      'A video is charged by the length that was produced, but never more than the held amount. The hold includes the price of ' +
      'input videos by their measured length.',
  },
)

const optionalNumber = (description?: string) => Type.Optional(Type.Number(description === undefined ? {} : { description }))

const KindLimitsSchema = Type.Object({
  types: Type.Optional(Type.Array(Type.String(), { description: 'Accepted content types.' })),
  bytes_max: optionalNumber(),
  bytes_total_max: optionalNumber('Maximum for all files of this kind together.'),
  seconds_min: optionalNumber(),
  seconds_max: optionalNumber(),
  seconds_total_max: optionalNumber('Maximum for all files of this kind together.'),
  side_min: optionalNumber('Minimum of both width and height, in pixels.'),
  side_max: optionalNumber(),
  pixels_min: optionalNumber('Minimum number of pixels: width times height.'),
  pixels_max: optionalNumber(),
  fps_min: optionalNumber('Minimum frame rate in frames per second.'),
  fps_max: optionalNumber(),
})

const InputLimitsSchema = Type.Object(
  {
    video: Type.Optional(KindLimitsSchema),
    audio: Type.Optional(KindLimitsSchema),
    files_max: Type.Optional(Type.Integer({ description: 'Maximum number of files: images, videos and sounds together.' })),
  },
  {
    description:
      'Limits for input videos and sounds, in addition to the limits of the service. The service measures the files and checks ' +
      'the limits before it holds credits. Absent if the model has no such limits.',
  },
)
export type ShownInputLimits = Static<typeof InputLimitsSchema>

export const ModelSchema = Type.Object(
  {
    id: Type.String({ description: 'The Model ID. It is matched byte for byte, including spaces.' }),
    object: Type.Literal('model'),
    type: Type.Unsafe<(typeof modelTypes)[number]>({
      type: 'string',
      enum: modelTypes,
      description: 'Kind of result. Requests for `chat`, `embedding` and `moderation` models are not tasks.',
    }),
    display_name: Type.String({ description: 'Display name. It is not accepted as `model` in requests.' }),
    family: Type.String(),
    title: Type.String(),
    description: Type.String(),
    capabilities: Type.Array(
      Type.Unsafe<Capability>({
        type: 'string',
        enum: [
          'text-to-video',
          'image-to-video',
          'first-and-last-frame',
          'reference-to-video',
          'text-to-image',
          'reference-to-image',
          'audio',
          'prompt-enhancement',
          'translation',
          'captioning',
          'storyboard',
        ] satisfies Capability[],
      }),
    ),
    parameters: Type.Unsafe<Static<typeof ParameterReferenceSchema>>({
      type: 'object',
      additionalProperties: true,
      description:
        'JSON Schema 2020-12 of the whole request body, with the values that at least one provider in use supports. The ' +
        'service also checks rules that a schema cannot express: the host of an image must be public, data URIs must be base64 ' +
        'and must not exceed the size limit together, and one provider must support the combination of values. The error lists ' +
        'values that would work. If no provider supports the given values together with the defaults, the service chooses ' +
        'other values for the omitted parameters, and shows them in the task and the quote.',
    }),
    narrowed: Type.Array(
      Type.Object({
        parameter: Type.String(),
        message: Type.String({
          description:
            'Description of the difference, for people: other values, another default, or whether the parameter is required.',
        }),
      }),
      {
        description:
          'Parameters that have fewer values or another default than the definition of the model, or are not available, ' +
          'because of the providers in use. `parameters` already takes this into account.',
      },
    ),
    price: PriceSchema,
    limits: Type.Object({
      deadline_seconds: Type.Integer({
        description: 'Maximum duration of an attempt in seconds. If an attempt takes longer, the task fails.',
      }),
      prompt_characters_max: Type.Integer({ description: 'Maximum length of a prompt in Unicode code points.' }),
      reference_images_max: Type.Integer(),
      data_uri_characters_max: Type.Integer({
        description: 'Maximum total length of all data URIs in a request, in characters. 0: the model accepts no data URIs.',
      }),
      inputs: Type.Optional(InputLimitsSchema),
      max_input_tokens: Type.Optional(
        Type.Integer({
          description: 'Maximum number of tokens in a request. Present only for models that are priced by tokens.',
        }),
      ),
      max_output_tokens: Type.Optional(
        Type.Integer({ description: 'Maximum number of tokens in a response. Present only for chat models.' }),
      ),
    }),
    fixed_resolution: nullable(
      Type.String({
        description:
          'The resolution of a model without the parameter `resolution`. Null: the model has the parameter, or does not ' +
          'use resolutions.',
      }),
    ),
    examples: Type.Array(
      Type.Unsafe<Record<string, unknown> & { model: string }>({
        type: 'object',
        properties: { model: { type: 'string' } },
        required: ['model'],
        additionalProperties: true,
      }),
      { description: 'Complete request bodies.' },
    ),
    available: Type.Boolean({
      description: 'Whether this key may invoke the model. Its parameter reference is shown in either case.',
    }),
    reason: Type.Unsafe<'brand_model_missing' | 'key_scope_missing' | 'no_route' | null>({
      type: ['string', 'null'],
      enum: ['brand_model_missing', 'key_scope_missing', 'no_route', null],
      description:
        'The error code for tasks of an unavailable model. `no_route`: no provider in use can serve the model. Null: the model ' +
        'is available.',
    }),
    endpoints: Type.Object(
      {
        v2: Type.Optional(Type.String({ description: 'Present only for models whose requests are tasks.' })),
        v1: Type.Optional(Type.String({ description: 'Present only for models of the v1 families.' })),
        openai: Type.Optional(Type.String({ description: 'Present only for models that are priced by tokens.' })),
      },
      { description: 'Paths for requests, relative to the base URL.' },
    ),
  },
  { description: 'A model of the catalogue, with its parameter reference.' },
)

export type Capability =
  | 'text-to-video'
  | 'image-to-video'
  | 'first-and-last-frame'
  | 'reference-to-video'
  | 'text-to-image'
  | 'reference-to-image'
  | 'audio'
  | 'prompt-enhancement'
  | 'translation'
  | 'captioning'
  | 'storyboard'

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

export type ShownPrice = Frozen<Static<typeof PriceSchema>>

/** A model in the response of `GET {base_url}/v2/model-center/models[/{id}]`. */
export type Model = Frozen<Static<typeof ModelSchema>>

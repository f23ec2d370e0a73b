import { definableTypes } from './parameters.ts'
import type { BodyFieldSchema, RequestBodySchema } from './request-body.ts'

/** A model definition, in the format of the configuration file. */
export type ModelDefinitionBody = Record<string, unknown>

const text = (means: string, description: string): BodyFieldSchema => ({ type: ['string', 'null'], means, description })

/** Field schemas for the OpenAPI document. The definition parser has stricter checks. */
const fields = {
  title: text('a text', 'Display title. Default: the Model ID.'),
  description: text('a text', 'Description of the model, for people.'),
  parameters: {
    type: 'object',
    additionalProperties: { type: 'object' },
    means: 'a map from names to JSON Schemas',
    description:
      'JSON Schemas of the parameters by name, in display order. Well-known names, such as `prompt`, have a shared definition: ' +
      '`{}` uses it unchanged, and keywords narrow it. A parameter with any other name belongs to this model only.',
  },
  required: {
    type: ['array', 'null'],
    items: { type: 'string' },
    means: 'a list of names',
    description: 'Names of the required parameters.',
  },
  inputs: {
    type: ['object', 'null'],
    means: 'an object such as {"video": {"seconds_max": 15}, "files_max": 12}',
    description:
      'Limits of input files: `video` and `audio`, each with `types`, `bytes_max`, `bytes_total_max`, `seconds_min`, ' +
      '`seconds_max`, `seconds_total_max` and, for videos, `side_min`, `side_max`, `pixels_min`, `pixels_max`, `fps_min` and ' +
      '`fps_max`; and `files_max` for the number of all files, including images. The service measures the files and checks the limits ' +
      'before it holds credits.',
  },
  price: {
    type: ['object', 'null'],
    means: 'an object such as {"per_image": 0.05}',
    description:
      'Price in credits: one of `per_image`, `per_second` and `per_task`, each a number or an object by resolution; ' +
      '`per_million_tokens`, an object with `input`, `cached_input` and `output`; or a price in the format of `POST /admin/v1/prices`. ' +
      'A model without a price is not offered to clients.',
  },
  max_input_tokens: {
    type: ['integer', 'null'],
    minimum: 1,
    means: 'a whole number of tokens',
    description:
      'Maximum number of tokens in a request. Required for models that are priced by tokens, and not allowed for others.',
  },
  max_output_tokens: {
    type: ['integer', 'null'],
    minimum: 1,
    means: 'a whole number of tokens',
    description: 'Maximum number of tokens in a response. Required for chat models, and not allowed for others.',
  },
  deadline: {
    type: ['integer', 'null'],
    minimum: 1,
    means: 'a whole number of seconds',
    description: 'Time limit of an attempt in seconds. Default: 3600 for video models, 600 for others.',
  },
  examples: {
    type: ['array', 'null'],
    items: { type: 'object' },
    means: 'a list of request bodies without model',
    description: 'Example request bodies without `model`.',
  },
  source: {
    type: ['object', 'null'],
    means: 'an object',
    description: 'Origin of the definition. The service stores it and does not use it.',
  },
} as const satisfies Record<string, BodyFieldSchema>

const object: BodyFieldSchema = {
  type: 'string',
  enum: definableTypes,
  means: `one of ${definableTypes.join(', ')}`,
  description:
    'Kind of the result. Requests for models of the kinds `chat`, `embedding` and `moderation` are forwarded and charged by tokens.',
}

export const modelCreateBody: RequestBodySchema<ModelDefinitionBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'object'],
  properties: {
    id: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      means: 'a Model ID of 1 to 128 printable characters',
      description: 'The Model ID: 1 to 128 printable characters. It must not look like the ID of another model.',
    },
    object,
    ...fields,
  },
}

export const modelChangeBody: RequestBodySchema<ModelDefinitionBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: { object, ...fields },
}

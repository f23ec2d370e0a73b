import type { RequestBodySchema } from './request-body.ts'
import { name, inFlight } from './admin-request-fields.ts'

export interface BrandCreateBody {
  name: string
  hosts?: string[]
  color?: string | null
  logo?: string | null
}

export interface BrandChangeBody {
  name?: string
  hosts?: string[]
  move_hosts?: boolean
  result_origin?: string | null
  color?: string | null
  logo?: string | null
  other_models?: 'catalogue' | 'hidden'
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  prompt_retention_days?: number | null
}

export interface BrandModelBody {
  model: string
  visibility?: 'hidden' | 'visible' | 'invocable' | null
  title?: string | null
}

const promptRetentionDaysMax = 3_650

/** Maximum number of hosts of a brand, which is a storefront with its own name and hosts. */
export const brandHostsMax = 100

const hosts = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 255 },
  maxItems: brandHostsMax,
  uniqueItems: true,
  means: 'a list of host names',
  description:
    'Host names without scheme, port and path. Requests to these hosts belong to this brand. The list replaces the existing ' +
    'list.',
}

/** Maximum size of a logo file in bytes. */
export const logoBytesMax = 512 * 1024

const appearanceFields = {
  color: {
    type: ['string', 'null'],
    pattern: '^#[0-9A-Fa-f]{6}$',
    means: 'a color of the form #rrggbb, or null',
    description: 'Color of the docs page and the watermark of the brand. Null: the default color.',
  },
  logo: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 700_000,
    means: 'a data URI of an image of at most 512 KiB, or null',
    description:
      'Logo of the docs page and the watermark of the brand: a data URI of a JPEG, PNG, WebP, AVIF or GIF image of at most 512 ' +
      'KiB. The service scales it to at most 128 pixels on each side. Null: no logo.',
  },
}

export const brandCreateBody: RequestBodySchema<BrandCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { ...name, description: 'Display name. A request with an existing name returns that brand, unchanged.' },
    hosts,
    ...appearanceFields,
  },
}

export const brandChangeBody: RequestBodySchema<BrandChangeBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name,
    hosts,
    move_hosts: {
      type: 'boolean',
      means: 'true or false',
      description:
        'Whether hosts in the list that belong to other brands move to this brand, in the same change. Default: false, which ' +
        'rejects such hosts.',
    },
    result_origin: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 300,
      means: 'an origin such as https://media.example.com, or null',
      description: 'Origin of the result links of the brand. Null: the origin of the installation.',
    },
    ...appearanceFields,
    other_models: {
      type: 'string',
      enum: ['catalogue', 'hidden'],
      means: 'catalogue or hidden',
      description: 'Visibility of models that have no setting in this brand: as in the catalogue, or hidden.',
    },
    ...inFlight,
    prompt_retention_days: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: promptRetentionDaysMax,
      means: `a whole number of days from 1 to ${promptRetentionDaysMax}, or null`,
      description: 'Days for which prompts and inputs are kept after the end of their tasks. Null: as long as results.',
    },
  },
}

export const brandModelBody: RequestBodySchema<BrandModelBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['model'],
  properties: {
    model: { type: 'string', minLength: 1, means: 'a Model ID', description: 'The Model ID.' },
    visibility: {
      enum: ['hidden', 'visible', 'invocable', null],
      means: 'hidden, visible, invocable or null',
      description:
        '`hidden`: clients get the same responses as for a model that does not exist. `visible`: the model is listed, but ' +
        'submits for it are rejected. `invocable`: clients can use the model. Null: as in the catalogue.',
    },
    title: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 200,
      means: 'a text of 1 to 200 characters, or null',
      description: 'Title of the model in this brand. Null: as in the catalogue.',
    },
  },
}

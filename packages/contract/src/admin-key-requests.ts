import { unixSecondsMax, type RequestBodySchema } from './request-body.ts'
import { creditsMax, countMax, name, limitField, inFlight, perMinute } from './admin-request-fields.ts'

export const keyScopes = ['tasks:write', 'tasks:read', 'webhooks:write', 'admin'] as const

export type KeyScope = (typeof keyScopes)[number]

export interface KeyBody {
  name?: string
  scopes?: KeyScope[]
  models?: string[] | null
  requests_per_second_max?: number | null
  requests_per_minute_max?: number | null
  tokens_per_minute_max?: number | null
  tasks_in_flight_max?: number | null
  credits_in_flight_max?: number | null
  spent_per_day_max?: number | null
  spent_per_month_max?: number | null
  expires_at?: number | null
}

export interface KeyCreateBody extends KeyBody {
  unique_name?: boolean
}

export interface KeyRotateBody {
  overlap_seconds?: number
}

const keyFields = {
  scopes: {
    type: 'array',
    items: { type: 'string', enum: keyScopes },
    minItems: 1,
    maxItems: keyScopes.length,
    means: `a list of ${keyScopes.join(', ')}`,
    description: 'Permissions of the key. Default: `tasks:write` and `tasks:read`.',
  },
  models: {
    type: ['array', 'null'],
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: 1000,
    uniqueItems: true,
    means: 'a list of Model IDs, or null for all models',
    description: 'The Model IDs that the key may invoke. Null: all models that the account may invoke.',
  },
  requests_per_second_max: limitField('integer', countMax, 'Maximum requests per second.'),
  ...perMinute,
  ...inFlight,
  spent_per_day_max: limitField('number', creditsMax, 'Maximum credits that the key may spend per day (UTC).'),
  spent_per_month_max: limitField('number', creditsMax, 'Maximum credits that the key may spend per month (UTC).'),
  expires_at: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: unixSecondsMax,
    means: 'Unix seconds, or null for never',
    description: 'Expiry of the key, Unix seconds. Null: never.',
  },
} as const

export const keyCreateBody: RequestBodySchema<KeyCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    name: { ...name, description: 'Display name. Default: `key`.' },
    unique_name: {
      type: 'boolean',
      means: 'true or false',
      description:
        'Whether the request is rejected with `conflict` if the account has a key of this name that is not revoked. Default: ' +
        'false.',
    },
    ...keyFields,
  },
}

export const keyChangeBody: RequestBodySchema<KeyBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: { name, ...keyFields },
}

export const keyRotateBody: RequestBodySchema<KeyRotateBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    overlap_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 30 * 86_400,
      means: 'a whole number of seconds up to 2,592,000',
      description: 'Seconds for which the previous secrets remain valid. Default: one day.',
    },
  },
}

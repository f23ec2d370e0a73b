import { unixSecondsMax, type BodyFieldSchema, type RequestBodySchema } from './request-body.ts'
import {
  defaultEventTypes,
  recordedEventTypes,
  webhookFormats,
  type RecordedEventType,
  type WebhookFormat,
} from './event-types.ts'
import type { WireParameter } from './parameters.ts'

export const webhookUrlCharactersMax = 2048
const descriptionCharactersMax = 255
const rateLimitMax = 1000

export interface WebhookCreateBody {
  url: string
  description?: string
  events?: RecordedEventType[]
  format?: WebhookFormat
  rate_limit?: number | null
}

export interface WebhookChangeBody extends Omit<Partial<WebhookCreateBody>, 'format'> {
  enabled?: boolean
}

export interface ResendFailedBody {
  since: number
}

export interface CreditAlertBody {
  below: number | null
}

const creditsMax = 1_000_000_000

export const creditAlertBody: RequestBodySchema<CreditAlertBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['below'],
  properties: {
    below: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: creditsMax,
      means: `a number of credits from 0 to ${creditsMax}, or null for no alert`,
      description:
        'Threshold in credits. The event `credits.low` is sent each time the balance falls below it. Null: the event is not sent.',
    },
  },
}

/** The pattern also accepts `http://`, which is valid for hosts that the operator has allowed. */
const url = {
  type: 'string',
  minLength: 1,
  maxLength: webhookUrlCharactersMax,
  pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?:\/\/`,
  means: `an address of at most ${webhookUrlCharactersMax} characters that starts with https://`,
  description: 'The public https address that receives the events.',
} as const satisfies BodyFieldSchema

const fields = {
  description: {
    type: 'string',
    maxLength: descriptionCharactersMax,
    means: `a text of at most ${descriptionCharactersMax} characters`,
    description: 'Free text for your own reference.',
  },
  events: {
    type: 'array',
    items: { type: 'string', enum: recordedEventTypes },
    minItems: 1,
    maxItems: recordedEventTypes.length,
    means: `a list of one or more of ${recordedEventTypes.join(', ')}`,
    description: `The types of the events to send. Default: \`${defaultEventTypes.join('` and `')}\`.`,
  },
  rate_limit: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: rateLimitMax,
    means: `a whole number of requests per second from 1 to ${rateLimitMax}, or null for no limit`,
    description: `Maximum number of requests per second, 1 to ${rateLimitMax}. Null: no limit for this webhook.`,
  },
} as const satisfies Record<string, BodyFieldSchema>

export const webhookCreateBody: RequestBodySchema<WebhookCreateBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url,
    ...fields,
    format: {
      type: 'string',
      enum: webhookFormats,
      means: `one of ${webhookFormats.join(', ')}`,
      description:
        'Format of the events. With `openai`, only the event types `task.completed` and `task.failed` are available. Default: ' +
        '`standard`.',
    },
  },
}

export const webhookChangeBody: RequestBodySchema<WebhookChangeBody> = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    url,
    ...fields,
    enabled: {
      type: 'boolean',
      means: 'true or false',
      description: 'False: no events are sent. Events that occur while the webhook is disabled are not sent later.',
    },
  },
}

export const resendFailedBody: RequestBodySchema<ResendFailedBody> = {
  type: 'object',
  additionalProperties: false,
  required: ['since'],
  properties: {
    since: {
      type: 'integer',
      minimum: 0,
      maximum: unixSecondsMax,
      means: 'a time in Unix seconds',
      description: 'Unix seconds. The service resends only failed events that occurred at this time or later.',
    },
  },
}

export const eventStreamParameters = {
  types: {
    type: 'string',
    pattern: `^(${recordedEventTypes.join('|')})(,(${recordedEventTypes.join('|')}))*$`.replaceAll('.', String.raw`\.`),
    means: `one or more of ${recordedEventTypes.join(', ')}, separated by commas`,
    description: `The types of the events, separated by commas. Default: \`${defaultEventTypes.join(',')}\`.`,
  },
} as const satisfies Record<string, WireParameter>

/** Schema of the submit field `webhook_url`. The field is not a parameter of the model. */
export const webhookUrlSchema = {
  type: 'string',
  minLength: 1,
  maxLength: webhookUrlCharactersMax,
  pattern: url.pattern,
  description:
    'The public https address that receives the event `task.completed` or `task.failed` of this task, signed with the secret ' +
    'of `GET /v2/webhooks/secret`. Responses do not contain this field.',
} as const

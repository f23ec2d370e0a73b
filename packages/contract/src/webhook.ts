import { Type, type Static } from 'typebox'
import {
  eventTypes,
  recordedEventTypes,
  webhookDeliveryStatuses,
  webhookDisabledReasons,
  webhookFormats,
  webhookResponseBytesMax,
  type EventType,
  type RecordedEventType,
  type WebhookDeliveryStatus,
  type WebhookDisabledReason,
  type WebhookFormat,
} from './event-types.ts'
import { nullable } from './nullable.ts'

const id = Type.String({ description: '`wh_` and 32 hexadecimal digits.' })
const secret = Type.String({
  description: '`whsec_` and 32 bytes in base64: the key of the signatures. Store it, because only this response contains it.',
})
const seconds = 'Unix seconds.'

const webhookProperties = {
  id,
  object: Type.Literal('webhook'),
  url: Type.String({ description: 'The address to which events are sent.' }),
  description: Type.String({ description: 'A text for people. Empty if none was given.' }),
  events: Type.Unsafe<RecordedEventType[]>({
    type: 'array',
    items: { type: 'string', enum: recordedEventTypes },
    description: 'The types of the events that are sent.',
  }),
  enabled: Type.Boolean({ description: 'False: nothing is sent until it is enabled again.' }),
  disabled_reason: Type.Unsafe<WebhookDisabledReason | null>({
    type: ['string', 'null'],
    enum: [...webhookDisabledReasons, null],
    description:
      'Why the service has disabled the webhook. `gone`: the address responded with 410. `failing`: all attempts failed for ' +
      'five days. Null: the webhook is enabled, or the account has disabled it.',
  }),
  format: Type.Unsafe<WebhookFormat>({
    type: 'string',
    enum: webhookFormats,
    description:
      "`standard`: the task itself. `openai`: the events `video.completed` and `video.failed` in the form of OpenAI's API, with the " +
      'id of the video only; images have none.',
  }),
  rate_limit: nullable(
    Type.Integer({ minimum: 1, description: 'Maximum number of requests per second. Null: no limit for this webhook.' }),
  ),
  failing_since: nullable(
    Type.Integer({
      description: `Time of the first failure since the last success, ${seconds} Null: the last attempt succeeded.`,
    }),
  ),
  created: Type.Integer({ description: seconds }),
}

export const WebhookSchema = Type.Object(webhookProperties, {
  description: 'An address of the account that receives its events.',
})
export type Webhook = Static<typeof WebhookSchema>

export const IssuedWebhookSchema = Type.Object(
  { ...webhookProperties, secret },
  { description: 'A webhook with its secret, which is not shown again.' },
)
export type IssuedWebhook = Static<typeof IssuedWebhookSchema>

export const DeletedWebhookSchema = Type.Object(
  { id, object: Type.Literal('webhook'), deleted: Type.Literal(true) },
  { description: 'Response to the deletion of a webhook.' },
)
export type DeletedWebhook = Static<typeof DeletedWebhookSchema>

export const WebhookSecretSchema = Type.Object(
  {
    object: Type.Literal('webhook_secret'),
    secret: Type.String({
      description: '`whsec_` and 32 bytes in base64: the key of the signatures of events for the `webhook_url` of tasks.',
    }),
    previous_until: nullable(
      Type.Integer({
        description: `Time until which events are also signed with the secret before the last rotation, ${seconds} Null: only one secret is valid.`,
      }),
    ),
  },
  { description: 'The secret of the account for `webhook_url` of its tasks.' },
)
export type WebhookSecret = Static<typeof WebhookSecretSchema>

const attemptSchema = Type.Object({
  at: Type.Integer({ description: `Start of the request, ${seconds}` }),
  trigger: Type.Unsafe<'schedule' | 'manual'>({
    type: 'string',
    enum: ['schedule', 'manual'],
    description: '`manual`: the account requested it.',
  }),
  duration_ms: Type.Integer({ minimum: 0, description: 'Time until the response or the error, in milliseconds.' }),
  status_code: nullable(Type.Integer({ description: 'HTTP status of the response. Null: no response arrived.' })),
  error: nullable(Type.String({ description: 'Why the attempt failed. Null: it succeeded.' })),
  response_body: nullable(
    Type.String({ description: `The beginning of the response, at most ${webhookResponseBytesMax} bytes.` }),
  ),
})
export type WebhookAttempt = Static<typeof attemptSchema>

export const WebhookDeliverySchema = Type.Object(
  {
    id: Type.String({ description: '`whd_` and 32 hexadecimal digits.' }),
    object: Type.Literal('webhook_delivery'),
    event: Type.String({ description: 'Id of the event: the header `webhook-id` of every attempt.' }),
    type: Type.Unsafe<EventType>({ type: 'string', enum: eventTypes, description: 'Type of the event.' }),
    task: nullable(Type.String({ description: 'The id of the task of the event. Null: the event concerns no task.' })),
    url: Type.String({ description: 'The address to which the event is sent.' }),
    status: Type.Unsafe<WebhookDeliveryStatus>({
      type: 'string',
      enum: webhookDeliveryStatuses,
      description: '`failed`: the service makes no further attempt on its own.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    created: Type.Integer({ description: `Time of the event, ${seconds}` }),
    next_attempt: nullable(
      Type.Integer({ description: `Earliest time of the next attempt, ${seconds} Null unless \`pending\`.` }),
    ),
    ended: nullable(Type.Integer({ description: `${seconds} Null while \`pending\`.` })),
    last_attempt: Type.Unsafe<WebhookAttempt | null>({
      anyOf: [attemptSchema, { type: 'null' }],
      description: 'The last attempt. Null: there was none yet.',
    }),
  },
  { description: 'The delivery of an event to a webhook.' },
)
export type WebhookDelivery = Static<typeof WebhookDeliverySchema>

export const CreditAlertSchema = Type.Object(
  {
    object: Type.Literal('credit_alert'),
    below: nullable(
      Type.Number({
        minimum: 0,
        description: 'The event `credits.low` is sent when the balance falls below this amount. Null: the event is not sent.',
      }),
    ),
  },
  { description: 'The threshold of the account for the event `credits.low`.' },
)
export type CreditAlert = Static<typeof CreditAlertSchema>

export const ResentDeliveriesSchema = Type.Object(
  {
    object: Type.Literal('resent_deliveries'),
    resent: Type.Integer({ minimum: 0, description: 'Number of deliveries that are sent again.' }),
    has_more: Type.Boolean({ description: 'Whether further deliveries match. Repeat the request until this is false.' }),
  },
  { description: 'Failed deliveries that are sent again.' },
)
export type ResentDeliveries = Static<typeof ResentDeliveriesSchema>

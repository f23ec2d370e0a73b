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
  description: 'The key that signs events: `whsec_` and 32 bytes in base64. Store it, because only this response contains it.',
})
const unixSeconds = 'Unix seconds.'

const webhookProperties = {
  id,
  object: Type.Literal('webhook'),
  url: Type.String({ description: 'The address to which events are sent.' }),
  description: Type.String({ description: 'Free text for your own reference. Empty if omitted.' }),
  events: Type.Unsafe<RecordedEventType[]>({
    type: 'array',
    items: { type: 'string', enum: recordedEventTypes },
    description: 'The types of the events that are sent.',
  }),
  enabled: Type.Boolean({ description: 'False: no events are sent until the webhook is enabled again.' }),
  disabled_reason: Type.Unsafe<WebhookDisabledReason | null>({
    type: ['string', 'null'],
    enum: [...webhookDisabledReasons, null],
    description:
      'Why the webhook is disabled. `gone`: the address responded with 410. `failing`: all attempts failed for five days. ' +
      '`suspended`: an operator has suspended it, and only an operator can enable it again. Null: the webhook is enabled, or ' +
      'the account has disabled it.',
  }),
  format: Type.Unsafe<WebhookFormat>({
    type: 'string',
    enum: webhookFormats,
    description:
      '`standard`: the data of an event is the whole task. `openai`: the events `video.completed` and `video.failed` of ' +
      "OpenAI's API, which contain only the id of the video. Image tasks have no events in this format.",
  }),
  rate_limit: nullable(
    Type.Integer({ minimum: 1, description: 'Maximum number of requests per second. Null: no limit for this webhook.' }),
  ),
  failing_since: nullable(
    Type.Integer({
      description: `Time of the first failure since the last success, ${unixSeconds} Null: there was none.`,
    }),
  ),
  created: Type.Integer({ description: unixSeconds }),
}

export const WebhookSchema = Type.Object(webhookProperties, {
  description: 'An address to which the service sends events of the account.',
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
      description: 'The key that signs events sent to the `webhook_url` of a task: `whsec_` and 32 bytes in base64.',
    }),
    previous_until: nullable(
      Type.Integer({
        description: `Time until which events are also signed with the previous secret, ${unixSeconds} Null: only one secret is valid.`,
      }),
    ),
  },
  { description: 'The secret that signs events sent to the `webhook_url` of tasks. The account has one such secret.' },
)
export type WebhookSecret = Static<typeof WebhookSecretSchema>

const WebhookAttemptSchema = Type.Object({
  at: Type.Integer({ description: `Start of the request, ${unixSeconds}` }),
  trigger: Type.Unsafe<'schedule' | 'manual'>({
    type: 'string',
    enum: ['schedule', 'manual'],
    description: '`manual`: the account requested this attempt.',
  }),
  duration_ms: Type.Integer({ minimum: 0, description: 'Time until the response or the error, in milliseconds.' }),
  status_code: nullable(Type.Integer({ description: 'HTTP status of the response. Null: no response arrived.' })),
  error: nullable(Type.String({ description: 'The error. Null: the attempt succeeded.' })),
  response_body: nullable(
    Type.String({ description: `The beginning of the response body, at most ${webhookResponseBytesMax} bytes.` }),
  ),
})
export type WebhookAttempt = Static<typeof WebhookAttemptSchema>

export const WebhookDeliverySchema = Type.Object(
  {
    id: Type.String({ description: '`whd_` and 32 hexadecimal digits.' }),
    object: Type.Literal('webhook_delivery'),
    event: Type.String({ description: 'Id of the event. Every attempt has it in the header `webhook-id`.' }),
    type: Type.Unsafe<EventType>({ type: 'string', enum: eventTypes, description: 'Type of the event.' }),
    task: nullable(Type.String({ description: 'The id of the task. Null: the event is not about a task.' })),
    url: Type.String({ description: 'The address to which the event is sent.' }),
    status: Type.Unsafe<WebhookDeliveryStatus>({
      type: 'string',
      enum: webhookDeliveryStatuses,
      description: '`failed`: the service has stopped retrying.',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    created: Type.Integer({ description: `Time of the event, ${unixSeconds}` }),
    next_attempt: nullable(
      Type.Integer({ description: `Earliest time of the next attempt, ${unixSeconds} Null unless the status is \`pending\`.` }),
    ),
    ended: nullable(
      Type.Integer({
        description: `Time at which the delivery succeeded or finally failed, ${unixSeconds} Null while \`pending\`.`,
      }),
    ),
    last_attempt: Type.Unsafe<WebhookAttempt | null>({
      anyOf: [WebhookAttemptSchema, { type: 'null' }],
      description: 'The last attempt. Null: no attempt has been made yet.',
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
  { description: "The account's balance threshold for the event `credits.low`." },
)
export type CreditAlert = Static<typeof CreditAlertSchema>

export const ResentDeliveriesSchema = Type.Object(
  {
    object: Type.Literal('resent_deliveries'),
    resent: Type.Integer({ minimum: 0, description: 'Number of deliveries that this request scheduled again.' }),
    has_more: Type.Boolean({ description: 'Whether more failed deliveries match. Repeat the request until this is false.' }),
  },
  { description: 'Response to a request that sends failed deliveries again.' },
)
export type ResentDeliveries = Static<typeof ResentDeliveriesSchema>

import type { Balance } from './credits.ts'
import type { Task } from './task.ts'

/** Events that a webhook or a stream can receive. */
export type RecordedEventType = 'task.completed' | 'task.failed' | 'task.processing' | 'credits.low'
export type EventType = RecordedEventType | 'webhook.test'
export type WebhookFormat = 'standard' | 'openai'
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed'

/** A URL to which the service sends events of the account. */
export interface Webhook {
  id: string
  object: 'webhook'
  url: string
  description: string
  events: RecordedEventType[]
  enabled: boolean
  /** Why the webhook is disabled; null if it is enabled or the account has disabled it. */
  disabled_reason: 'gone' | 'failing' | 'suspended' | null
  format: WebhookFormat
  /** Maximum number of requests per second; null: only the limits of the service apply. */
  rate_limit: number | null
  /** Unix seconds of the first failure since the last success; null if there was none. */
  failing_since: number | null
  /** Unix seconds. */
  created: number
}

export interface IssuedWebhook extends Webhook {
  /** Key that signs the events. Only this response contains it. */
  secret: string
}

export interface DeletedWebhook {
  id: string
  object: 'webhook'
  deleted: true
}

/** The account's secret, which signs events sent to a task's `webhook_url`. */
export interface WebhookSecret {
  object: 'webhook_secret'
  secret: string
  /**
   * Time until which events are also signed with the previous secret, Unix seconds; null if there
   * is none.
   */
  previous_until: number | null
}

export interface WebhookAttempt {
  /** Unix seconds. */
  at: number
  trigger: 'schedule' | 'manual'
  duration_ms: number
  status_code: number | null
  error: string | null
  response_body: string | null
}

/** The delivery of an event to a webhook. Times are Unix seconds. */
export interface WebhookDelivery {
  id: string
  object: 'webhook_delivery'
  /** Id of the event. Every attempt sends it in the header `webhook-id`. */
  event: string
  type: EventType
  task: string | null
  url: string
  status: WebhookDeliveryStatus
  attempts: number
  created: number
  next_attempt: number | null
  ended: number | null
  last_attempt: WebhookAttempt | null
}

export interface ResentDeliveries {
  object: 'resent_deliveries'
  resent: number
  has_more: boolean
}

interface EventOf<Type extends EventType, Data> {
  /** Id of the event, the same for every delivery attempt. Process each id once. */
  id: string
  type: Type
  /** Time of the event, ISO 8601. */
  timestamp: string
  data: Data
}

/** An event as received by a webhook or an event stream. */
export type FramegateEvent =
  | EventOf<'task.completed' | 'task.failed' | 'task.processing', Task>
  | EventOf<'credits.low', Omit<Balance, 'expiring'>>
  | EventOf<'webhook.test', Webhook>

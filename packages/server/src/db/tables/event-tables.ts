import type {
  EventType,
  RecordedEventType,
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookFormat,
} from '@framegate/contract'
import type { Generated } from 'kysely'

/** An event that webhooks or event streams of the account receive. */
export interface EventRow {
  no: Generated<number>
  account_no: number
  type: RecordedEventType
  task_no: number | null
  /**
   * The id of an event without a task. Null for any other event, whose id is derived from its task
   * and type.
   */
  id: string | null
  at: number
  /** Position among the events of the account, from 1. Null until the event is distributed. */
  position: Generated<number | null>
}

/** Which events are recorded for an account. */
export interface EventSubscriberRow {
  account_no: number
  /** Event types and `taskWebhookBit` as bits (`event-type-bits.ts`). */
  types: number
}

export interface EventFeedRow {
  account_no: number
  /** Position of the event that was distributed last. 0: none. */
  last_position: Generated<number>
  /** End of the time for which events are recorded for event streams of the account. */
  open_until: Generated<number>
}

/**
 * A row of the kind `account` is a webhook of the account. A row of the kind `task` stands for all
 * webhook addresses of tasks of the account that have the same origin. Its `url` is that origin.
 */
export interface WebhookEndpointRow {
  no: Generated<number>
  id: string
  account_no: number
  kind: 'account' | 'task'
  url: string
  description: string
  /** The subscribed event types as bits (`event-type-bits.ts`). */
  types: number
  format: WebhookFormat
  /** 0 or 1. */
  enabled: Generated<number>
  disabled_reason: Generated<Exclude<WebhookDisabledReason, 'suspended'> | null>
  /** 1: an operator has disabled the webhook, and only an operator can enable it. */
  suspended: Generated<number>
  /** Maximum number of deliveries per second. */
  rate_limit: number | null
  /** The encrypted secret. Null for a row of the kind `task`. */
  secret: string | null
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
  deleted_at: Generated<number | null>
  /**
   * Time at which a worker must check the deliveries of this endpoint. Null: there is no delivery
   * to send.
   */
  due_at: Generated<number | null>
  /** Number of consecutive failures. */
  failures: Generated<number>
  /** 1: no delivery has succeeded since the last failure. */
  is_failing: Generated<number>
  /** Time of the first of the consecutive failures. */
  failing_since: Generated<number | null>
  paused_until: Generated<number>
  lease_until: Generated<number | null>
  lease_fence: Generated<number>
}

/**
 * The encrypted secret with which the service signs an account's deliveries to the webhook
 * addresses of its tasks.
 */
export interface WebhookSecretRow {
  account_no: number
  secret: string
  previous_secret: Generated<string | null>
  previous_until: Generated<number | null>
  created_at: number
}

/**
 * The webhook address that a task names. The row is removed when the end of the task is
 * distributed.
 */
export interface TaskWebhookRow {
  task_no: number
  endpoint_no: number
  url: string
}

export interface WebhookDeliveryRow {
  no: Generated<number>
  id: string
  endpoint_no: number
  type: EventType
  event_id: string | null
  event_at: number
  task_no: number | null
  /** The address, for an endpoint of the kind `task`. Null: the address of the endpoint applies. */
  url: string | null
  status: Generated<WebhookDeliveryStatus>
  attempts: Generated<number>
  /** Number of attempts in the current retry schedule. */
  tries: Generated<number>
  /** 1: the account has requested the next attempt. */
  is_manual: Generated<number>
  created_at: number
  due_at: number | null
  ended_at: Generated<number | null>
}

export interface WebhookAttemptRow {
  delivery_no: number
  number: number
  at: number
  duration_ms: number
  is_manual: number
  status_code: number | null
  error: string | null
  /** The first part of the response body. */
  response_body: string | null
}

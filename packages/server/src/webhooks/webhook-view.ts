import type { Webhook, WebhookDelivery, WebhookDisabledReason } from '@framegate/contract'
import { typesOf } from '../db/event-type-bits.ts'
import { mapNullable } from '../lib/map-nullable.ts'
import type { ShownDelivery } from './delivery-rows.ts'
import { eventIdIn, taskIdIn } from './event-of-delivery.ts'
import type { StoredWebhook } from './webhook-rows.ts'

export function webhookView(row: Omit<StoredWebhook, 'secret'>): Webhook {
  return {
    id: row.id,
    object: 'webhook',
    url: row.url,
    description: row.description,
    events: typesOf(row.types),
    enabled: row.enabled === 1,
    disabled_reason: disabledReasonOf(row),
    format: row.format,
    rate_limit: row.rate_limit,
    failing_since: mapNullable(row.failing_since, toSeconds),
    created: toSeconds(row.created_at),
  }
}

export function deliveryView(row: ShownDelivery): WebhookDelivery {
  const { lastAttempt } = row
  return {
    id: row.id,
    object: 'webhook_delivery',
    event: eventIdIn(row),
    type: row.type,
    task: taskIdIn(row),
    url: row.url ?? row.endpoint_url,
    status: row.status,
    attempts: row.attempts,
    created: toSeconds(row.created_at),
    next_attempt: mapNullable(row.due_at, toSeconds),
    ended: mapNullable(row.ended_at, toSeconds),
    last_attempt: lastAttempt && {
      at: toSeconds(lastAttempt.at),
      trigger: lastAttempt.is_manual === 1 ? 'manual' : 'schedule',
      duration_ms: lastAttempt.duration_ms,
      status_code: lastAttempt.status_code,
      error: lastAttempt.error,
      response_body: lastAttempt.response_body,
    },
  }
}

/** Why a webhook is disabled, as its account and operators see it. */
export function disabledReasonOf(row: Pick<StoredWebhook, 'suspended' | 'disabled_reason'>): WebhookDisabledReason | null {
  return row.suspended === 1 ? 'suspended' : row.disabled_reason
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

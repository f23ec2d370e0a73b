import type { CreditAlert, DeletedWebhook, ResentDeliveries, Webhook, WebhookDelivery } from '../webhook.ts'
import type { WebhookCreateBody } from '../webhook-requests.ts'
import type { List } from '../list.ts'

/** Noon on 15 January 2026, as in the other examples. */
const noon = 1_768_478_400

export const webhookExampleIds = {
  webhook: 'wh_5d0f8a1c2b7e4936a8d1c0e2f4b69713',
  delivery: 'whd_0c9e7b5a3f1d48628e6a4c2d0b9f8e71',
  event: 'evt_7a1b3c5d9e0f42868c4d2e6f8a0b1c3d',
} as const

const create: WebhookCreateBody = {
  url: 'https://example.com/hooks/videos',
  description: 'Videos of the web shop',
  events: ['task.completed', 'task.failed'],
}

const webhook: Webhook = {
  id: webhookExampleIds.webhook,
  object: 'webhook',
  url: 'https://example.com/hooks/videos',
  description: 'Videos of the web shop',
  events: ['task.completed', 'task.failed'],
  enabled: true,
  disabled_reason: null,
  format: 'standard',
  rate_limit: null,
  failing_since: null,
  created: noon,
}

const test: WebhookDelivery = {
  id: webhookExampleIds.delivery,
  object: 'webhook_delivery',
  event: webhookExampleIds.event,
  type: 'webhook.test',
  task: null,
  url: 'https://example.com/hooks/videos',
  status: 'pending',
  attempts: 0,
  created: noon,
  next_attempt: noon,
  ended: null,
  last_attempt: null,
}

const delivered: WebhookDelivery = {
  ...test,
  status: 'delivered',
  attempts: 1,
  next_attempt: null,
  ended: noon,
  last_attempt: {
    at: noon,
    trigger: 'manual',
    duration_ms: 142,
    status_code: 200,
    error: null,
    response_body: 'ok',
  },
}

function onePage<Item>(item: Item): List<Item> {
  return { object: 'list', items: [item], has_more: false, next_cursor: null }
}

/**
 * Examples for the operations of webhooks. A test sends these requests to a running service and
 * compares its responses.
 */
export const webhookExamples = {
  create: { summary: 'A webhook', value: create },
  change: { summary: 'A limit of requests per second', value: { rate_limit: 10 } },
  setAlert: { summary: 'Below 100 credits', value: { below: 100 } },
  alert: { summary: 'Below 100 credits', value: { object: 'credit_alert', below: 100 } satisfies CreditAlert },
  resendFailed: { summary: 'Since noon', value: { since: noon } },
  webhook: { summary: 'A webhook', value: webhook },
  limited: { summary: 'Changed', value: { ...webhook, rate_limit: 10 } },
  webhookList: { summary: 'One webhook', value: onePage(webhook) },
  deleted: { summary: 'Deleted', value: { id: webhook.id, object: 'webhook', deleted: true } satisfies DeletedWebhook },
  test: { summary: 'A test that is about to be sent', value: test },
  delivery: { summary: 'Sent again', value: { ...delivered, status: 'pending', next_attempt: noon, ended: null } },
  deliveryList: { summary: 'One delivery', value: onePage(delivered) },
  resent: {
    summary: 'None had failed',
    value: { object: 'resent_deliveries', resent: 0, has_more: false } satisfies ResentDeliveries,
  },
} as const

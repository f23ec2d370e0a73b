import type { RequestOptions } from './call-options.ts'
import { readPage, type Page } from './page.ts'
import type { Call, Transport } from './transport.ts'
import { unwrapWebhook, type WebhookHeaders } from './unwrap-webhook.ts'
import type {
  DeletedWebhook,
  EventType,
  FramegateEvent,
  IssuedWebhook,
  RecordedEventType,
  ResentDeliveries,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookFormat,
  WebhookSecret,
} from './webhook.ts'

export interface NewWebhook {
  /** A public https address. */
  url: string
  description?: string | undefined
  /** Default: `task.completed` and `task.failed`. */
  events?: readonly RecordedEventType[] | undefined
  /** Default: `standard`. */
  format?: WebhookFormat | undefined
  /** Maximum number of requests per second. Default: only the limits of the service apply. */
  rate_limit?: number | null | undefined
}

export interface WebhookChange extends Partial<Omit<NewWebhook, 'format'>> {
  enabled?: boolean | undefined
}

export interface WebhookListOptions extends RequestOptions {
  /** Items per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface DeliveryListOptions extends WebhookListOptions {
  /** Only deliveries with this status. Default: all. */
  status?: WebhookDeliveryStatus | undefined
  /** Only events of this type. Default: all. */
  type?: EventType | undefined
  /** Only events of the task with this id. Default: of all tasks. */
  task?: string | undefined
}

/** A webhook or its id, or `tasks` for events sent to a task's `webhook_url`. */
export type WebhookOrTasks = string | Webhook

export interface Webhooks {
  /** Verifies a received request and returns its event, like `unwrapWebhook`. */
  unwrap(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<FramegateEvent>
  /**
   * Creates a webhook. Only this response contains its secret, so the call is not retried
   * automatically.
   */
  create(webhook: NewWebhook, options?: RequestOptions): Promise<IssuedWebhook>
  get(id: string, options?: RequestOptions): Promise<Webhook>
  /** Lists this account's webhooks, oldest first. */
  list(options?: WebhookListOptions): Promise<Page<Webhook>>
  update(webhook: string | Webhook, change: WebhookChange, options?: RequestOptions): Promise<Webhook>
  delete(webhook: string | Webhook, options?: RequestOptions): Promise<DeletedWebhook>
  /** Replaces the secret. For 24 hours, events are signed with both secrets. */
  rotateSecret(webhook: string | Webhook, options?: RequestOptions): Promise<IssuedWebhook>
  /** Sends an event of the type `webhook.test`. */
  test(webhook: string | Webhook, options?: RequestOptions): Promise<WebhookDelivery>
  /** Lists the deliveries to a webhook, newest first, each with its last attempt. */
  deliveries(webhook: WebhookOrTasks, options?: DeliveryListOptions): Promise<Page<WebhookDelivery>>
  /** Sends one event again. */
  resend(webhook: WebhookOrTasks, delivery: string | WebhookDelivery, options?: RequestOptions): Promise<WebhookDelivery>
  /**
   * Resends events that occurred at or after `since` (Unix seconds) and whose delivery failed, at
   * most 1,000 per call. Repeat the call while `has_more` is true.
   */
  resendFailed(webhook: string | Webhook, since: number, options?: RequestOptions): Promise<ResentDeliveries>
  /** Returns the secret that signs events sent to a task's `webhook_url`. */
  accountSecret(options?: RequestOptions): Promise<WebhookSecret>
  rotateAccountSecret(options?: RequestOptions): Promise<WebhookSecret>
}

const path = '/v2/webhooks'
/**
 * Options of calls that must not be retried after a lost response, because a retry would create a
 * second secret or event.
 */
const withoutRetries = { maxRetries: 0 }

export function createWebhooks(transport: Transport): Webhooks {
  async function call<T>(request: Call, options: RequestOptions | undefined): Promise<T> {
    return (await transport.call<T>(request, options)).body
  }
  const post = <T>(target: string, body?: object, options?: RequestOptions): Promise<T> =>
    call<T>({ method: 'POST', path: target, ...(body && { body }) }, options)

  return {
    unwrap: unwrapWebhook,
    create: (webhook, options) => post<IssuedWebhook>(path, webhook, { ...options, ...withoutRetries }),
    get: (id, options) => call<Webhook>({ method: 'GET', path: pathOf(id) }, options),
    list: ({ limit, cursor: initialCursor, ...options } = {}) =>
      readPage((cursor) => call<Page<Webhook>>({ method: 'GET', path, query: { limit, cursor } }, options), initialCursor),
    update: (webhook, change, options) => call<Webhook>({ method: 'PATCH', path: pathOf(webhook), body: change }, options),
    delete: (webhook, options) => call<DeletedWebhook>({ method: 'DELETE', path: pathOf(webhook) }, options),
    rotateSecret: (webhook, options) =>
      post<IssuedWebhook>(`${pathOf(webhook)}/rotate-secret`, undefined, { ...options, ...withoutRetries }),
    test: (webhook, options) => post<WebhookDelivery>(`${pathOf(webhook)}/test`, undefined, { ...options, ...withoutRetries }),

    deliveries(webhook, { limit, status, type, task, cursor: initialCursor, ...options } = {}) {
      const deliveriesPath = `${pathOf(webhook)}/deliveries`
      const fetchPage = (cursor?: string) =>
        call<Page<WebhookDelivery>>(
          { method: 'GET', path: deliveriesPath, query: { limit, status, type, task, cursor } },
          options,
        )
      return readPage(fetchPage, initialCursor)
    },

    resend: (webhook, delivery, options) =>
      post<WebhookDelivery>(`${pathOf(webhook)}/deliveries/${encodeURIComponent(idOf(delivery))}/resend`, undefined, options),
    resendFailed: (webhook, since, options) => post<ResentDeliveries>(`${pathOf(webhook)}/resend-failed`, { since }, options),
    accountSecret: (options) => call<WebhookSecret>({ method: 'GET', path: `${path}/secret` }, options),
    rotateAccountSecret: (options) => post<WebhookSecret>(`${path}/secret/rotate`, undefined, { ...options, ...withoutRetries }),
  }
}

function idOf(idOrObject: string | { id: string }): string {
  return typeof idOrObject === 'string' ? idOrObject : idOrObject.id
}

function pathOf(webhook: string | Webhook): string {
  return `${path}/${encodeURIComponent(idOf(webhook))}`
}

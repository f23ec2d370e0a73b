import type { Store } from '../db/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import {
  findDelivery,
  insertTest,
  listDeliveries,
  resendDelivery,
  resendFailedDeliveries,
  type DeliveryFilters,
  type EndpointSelector,
  type ShownDelivery,
} from './delivery-rows.ts'
import { requireEnabled, requireWebhook } from './require-webhook.ts'
import type { NewId } from './webhook-rows.ts'

const resendBatchMax = 1_000
/**
 * Reserved value of a webhook's id. In calls about deliveries, it stands for all `webhook_url`
 * addresses of the account's tasks.
 */
const taskWebhooksId = 'tasks'

export interface WebhookDeliveriesDependencies {
  store: Pick<Store, 'database' | 'writeAtomically'>
  /** Called when an account has requested a delivery, which is then due. */
  onDue: () => void
  clock: Clock
  newId: NewId
}

/** Deliveries to the webhooks of accounts. Methods throw an `AppError` if a request is invalid. */
export interface WebhookDeliveries {
  list(
    accountNo: number,
    id: string,
    filters: DeliveryFilters & { cursor?: string | undefined; limit: number },
  ): Promise<{ deliveries: ShownDelivery[]; nextCursor: string | null }>
  sendTest(accountNo: number, id: string): Promise<ShownDelivery>
  resend(accountNo: number, id: string, deliveryId: string): Promise<ShownDelivery>
  resendFailed(accountNo: number, id: string, sinceMs: number): Promise<{ resent: number; hasMore: boolean }>
}

export function createWebhookDeliveries(dependencies: WebhookDeliveriesDependencies): WebhookDeliveries {
  const { store, onDue, clock, newId } = dependencies
  const { database } = store

  /** `require` finds the webhook of an id that is not reserved. */
  async function selectEndpoints(accountNo: number, id: string, require = requireWebhook): Promise<EndpointSelector> {
    return id === taskWebhooksId ? { taskWebhooksOf: accountNo } : { endpointNo: (await require(database, accountNo, id)).no }
  }

  async function requireDelivery(selector: EndpointSelector, deliveryId: string): Promise<ShownDelivery> {
    const delivery = await findDelivery(database, selector, deliveryId)
    if (delivery === undefined) throw new AppError('delivery_not_found', 'This webhook has no delivery with this id.')
    return delivery
  }

  return {
    async list(accountNo, id, { cursor, limit, ...filters }) {
      const selector = await selectEndpoints(accountNo, id)
      const cursorDelivery = cursor === undefined ? undefined : await findDelivery(database, selector, cursor)
      if (cursor !== undefined && cursorDelivery === undefined) {
        throw new AppError('invalid_parameter', 'cursor must be the next_cursor of an earlier page.', { param: 'cursor' })
      }
      const rows = await listDeliveries(database, selector, { ...filters, beforeNo: cursorDelivery?.no }, limit + 1)
      const deliveries = rows.slice(0, limit)
      return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null }
    },

    async sendTest(accountNo, id) {
      const { no } = await requireEnabled(database, accountNo, id)
      const deliveryId = await insertTest(store, no, { newId, nowMs: clock() })
      onDue()
      return requireDelivery({ endpointNo: no }, deliveryId)
    },

    async resend(accountNo, id, deliveryId) {
      const selector = await selectEndpoints(accountNo, id, requireEnabled)
      const delivery = await requireDelivery(selector, deliveryId)
      await resendDelivery(store, delivery, clock())
      onDue()
      return requireDelivery(selector, deliveryId)
    },

    async resendFailed(accountNo, id, sinceMs) {
      const { no } = await requireEnabled(database, accountNo, id)
      const resent = await resendFailedDeliveries(store, no, { sinceMs, nowMs: clock(), countMax: resendBatchMax })
      if (resent > 0) onDue()
      return { resent, hasMore: resent === resendBatchMax }
    },
  }
}

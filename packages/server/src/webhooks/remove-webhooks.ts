import { sql, type Kysely } from 'kysely'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import { lockSubscriptions, recountSubscriptions } from '../events/event-subscribers.ts'
import type { Clock } from '../lib/clock.ts'

const rowsPerBatch = 500
const hourMs = 60 * 60 * 1000
/** Retention of events. It is longer than the time in which a client may resume a stream. */
const eventRetentionMs = 25 * hourMs

export interface WebhookRemovalDependencies {
  store: Pick<Store, 'database' | 'writeAtomically'>
  /** Retention of deliveries. */
  retentionMs: number
  clock: Clock
}

/** Removes obsolete rows of webhooks. Every step is bounded and idempotent. */
export interface WebhookRemoval {
  /**
   * Removes old deliveries and events, and the remaining rows of deleted webhooks. Closes event
   * feeds that no client has used for a day.
   */
  sweep(signal: AbortSignal): Promise<void>
  /** Removes all webhooks of a closed account, with their deliveries, secrets and events. */
  eraseAccount(accountNo: number, signal: AbortSignal): Promise<void>
}

export function createWebhookRemoval({ store, retentionMs, clock }: WebhookRemovalDependencies): WebhookRemoval {
  const { database } = store

  /** Removes deliveries in batches, until none are left or the signal aborts. */
  async function removeDeliveries(find: () => Promise<number[]>, signal: AbortSignal): Promise<void> {
    for (let deliveryNos = await find(); deliveryNos.length > 0; deliveryNos = await find()) {
      await database.deleteFrom('webhook_attempts').where('delivery_no', 'in', deliveryNos).execute()
      await database.deleteFrom('webhook_deliveries').where('no', 'in', deliveryNos).execute()
      if (signal.aborted || deliveryNos.length < rowsPerBatch) return
    }
  }

  async function removeEndpoints(endpoints: readonly number[], signal: AbortSignal): Promise<void> {
    for (const no of endpoints) {
      await removeDeliveries(async () => {
        const rows = await database
          .selectFrom('webhook_deliveries')
          .select('no')
          .where('endpoint_no', '=', no)
          .limit(rowsPerBatch)
          .execute()
        return rows.map((row) => row.no)
      }, signal)
      if (signal.aborted) return
      await database.deleteFrom('task_webhooks').where('endpoint_no', '=', no).execute()
      // A new event may have got a delivery to this endpoint in the meantime. The endpoint is then
      // kept until the next sweep, which first removes the delivery.
      await sql`
        delete from webhook_endpoints
        where no = ${no} and not exists (select 1 from webhook_deliveries d where d.endpoint_no = ${no})`.execute(database)
    }
  }

  return {
    async sweep(signal) {
      const beforeMs = clock() - retentionMs
      await removeDeliveries(() => listOldDeliveries(database, beforeMs), signal)
      for (let removedCount = rowsPerBatch; removedCount === rowsPerBatch && !signal.aborted;) {
        removedCount = await removeOldEvents(database, clock() - eventRetentionMs)
      }
      if (signal.aborted) return
      const deletedEndpoints = await database
        .selectFrom('webhook_endpoints')
        .select('no')
        .where('deleted_at', 'is not', null)
        .limit(100)
        .execute()
      await removeEndpoints(
        deletedEndpoints.map(({ no }) => no),
        signal,
      )
      await closeFeeds(store, clock())
    },

    async eraseAccount(accountNo, signal) {
      const hideStatement = database
        .updateTable('webhook_endpoints')
        .set({ deleted_at: clock(), enabled: 0, secret: null, previous_secret: null, description: '', url: sql<string>`id` })
        .where('account_no', '=', accountNo)
      const closeStatement = database.updateTable('event_feeds').set({ open_until: 0 }).where('account_no', '=', accountNo)
      await store.writeAtomically(
        lockSubscriptions(database, accountNo),
        hideStatement.compile(),
        closeStatement.compile(),
        recountSubscriptions(database, accountNo, clock()),
      )
      const endpoints = await database.selectFrom('webhook_endpoints').select('no').where('account_no', '=', accountNo).execute()
      await removeEndpoints(
        endpoints.map(({ no }) => no),
        signal,
      )
      await database.deleteFrom('webhook_secrets').where('account_no', '=', accountNo).execute()
      await database.deleteFrom('events').where('account_no', '=', accountNo).execute()
    },
  }
}

/** Removes the webhook URLs of deleted tasks, and the receivers' responses to their events. */
export async function forgetDeliveriesOf(database: Kysely<Tables>, taskNos: readonly number[]): Promise<void> {
  // These rows contain the URLs of tasks whose events have not been distributed yet.
  await database.deleteFrom('task_webhooks').where('task_no', 'in', taskNos).execute()
  const deliveries = await database.selectFrom('webhook_deliveries').select('no').where('task_no', 'in', taskNos).execute()
  if (deliveries.length === 0) return
  const deliveryNos = deliveries.map(({ no }) => no)
  await database.updateTable('webhook_attempts').set({ response_body: null }).where('delivery_no', 'in', deliveryNos).execute()
  await database.updateTable('webhook_deliveries').set({ url: null }).where('no', 'in', deliveryNos).execute()
}

async function listOldDeliveries(database: Kysely<Tables>, beforeMs: number): Promise<number[]> {
  const rows = await database
    .selectFrom('webhook_deliveries')
    .select('no')
    .where('created_at', '<', beforeMs)
    .orderBy('created_at')
    .limit(rowsPerBatch)
    .execute()
  return rows.map(({ no }) => no)
}

async function removeOldEvents(database: Kysely<Tables>, beforeMs: number): Promise<number> {
  const oldEvents = database
    .selectFrom('events')
    .select('no')
    .where('at', '<', beforeMs)
    .where('position', 'is not', null)
    .orderBy('at')
    .limit(rowsPerBatch)
  const deleteResult = await database.deleteFrom('events').where('no', 'in', oldEvents).executeTakeFirst()
  return Number(deleteResult.numDeletedRows)
}

/** Stops recording events for accounts that have had no stream for a day. */
async function closeFeeds(store: Pick<Store, 'database' | 'writeAtomically'>, nowMs: number): Promise<void> {
  const { database } = store
  const closedFeeds = await database
    .selectFrom('event_feeds')
    .select('account_no')
    .where('open_until', '>', 0)
    .where('open_until', '<=', nowMs)
    .limit(rowsPerBatch)
    .execute()
  for (const { account_no: accountNo } of closedFeeds) {
    const closeFeed = database
      .updateTable('event_feeds')
      .set({ open_until: 0 })
      .where('account_no', '=', accountNo)
      .where('open_until', '<=', nowMs)
    await store.writeAtomically(closeFeed.compile(), recountSubscriptions(database, accountNo, nowMs))
  }
}

import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Selectable } from 'kysely'
import type { Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import type { WebhookEndpointRow } from '../db/tables/event-tables.ts'
import { lockSubscriptions, recountSubscriptions } from '../events/event-subscribers.ts'

export type StoredWebhook = Selectable<WebhookEndpointRow>
export type NewWebhook = Pick<
  StoredWebhook,
  'id' | 'account_no' | 'url' | 'description' | 'types' | 'format' | 'rate_limit' | 'secret' | 'created_at'
>
export type WebhookChange = Partial<Pick<StoredWebhook, 'url' | 'description' | 'types' | 'rate_limit' | 'enabled' | 'suspended'>>

type WritingStore = Pick<Store, 'database' | 'writeAtomically'>

/** Creates the id of a webhook, a delivery or an event without a task. */
export type NewId = (prefix: 'wh' | 'whd' | 'evt') => string

export const randomId: NewId = (prefix) => {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

/** Inserts a webhook. Returns undefined if the account already has `webhooksMax` webhooks. */
export async function insertWebhook(
  store: WritingStore,
  webhook: NewWebhook,
  webhooksMax: number,
): Promise<StoredWebhook | undefined> {
  const { database } = store
  const { id, account_no, url, description, types, format, rate_limit, secret, created_at } = webhook
  const insertStatement = sql`
    insert into webhook_endpoints (id, account_no, kind, url, description, types, format, rate_limit, secret, created_at)
    select ${id}, a.no, 'account', ${url}, ${description}, ${types}, ${format}, ${rate_limit}, ${secret}, ${created_at}
    from accounts a
    where a.no = ${account_no} and (
      select count(*) from webhook_endpoints w where w.account_no = a.no and w.kind = 'account' and w.deleted_at is null
    ) < ${webhooksMax}`.compile(database)
  await store.writeAtomically(
    lockSubscriptions(database, account_no),
    insertStatement,
    recountSubscriptions(database, account_no, created_at),
  )
  return findWebhook(database, account_no, id)
}

export async function findWebhook(database: Kysely<Tables>, accountNo: number, id: string): Promise<StoredWebhook | undefined> {
  return await selectShown(database, accountNo).where('id', '=', id).executeTakeFirst()
}

/** Returns the account's webhooks, oldest first. */
export async function listWebhooks(database: Kysely<Tables>, accountNo: number): Promise<StoredWebhook[]> {
  return await selectShown(database, accountNo).orderBy('no').execute()
}

function selectShown(database: Kysely<Tables>, accountNo: number) {
  return database
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('kind', '=', 'account')
    .where('deleted_at', 'is', null)
}

/**
 * Changes a webhook. Enabling a disabled webhook, or changing its URL, resets its failures and ends
 * its pause. A change that enables a suspended webhook without resuming it has no effect.
 */
export async function updateWebhook(
  store: WritingStore,
  webhook: StoredWebhook,
  change: WebhookChange,
  nowMs: number,
  extraStatements: readonly Statement[] = [],
): Promise<void> {
  const { database } = store
  const { no, account_no: accountNo } = webhook
  const isReset = (change.enabled === 1 && webhook.enabled === 0) || (change.url !== undefined && change.url !== webhook.url)
  const changeStatement = database
    .updateTable('webhook_endpoints')
    .set({
      ...change,
      ...(change.enabled !== undefined && { disabled_reason: null }),
      ...(isReset && {
        failures: 0,
        is_failing: 0,
        failing_since: null,
        paused_until: 0,
        due_at: sql<number | null>`case when due_at > ${nowMs} then ${nowMs} else due_at end`,
      }),
    })
    .where('no', '=', no)
    .where('deleted_at', 'is', null)
    .$if(change.enabled === 1 && change.suspended === undefined, (builder) => builder.where('suspended', '=', 0))
  await store.writeAtomically(
    lockSubscriptions(database, accountNo),
    changeStatement.compile(),
    recountSubscriptions(database, accountNo, nowMs),
    ...extraStatements,
  )
}

/** Hides a webhook. A sweep later removes its deliveries and then its row. */
export async function deleteWebhook(
  store: WritingStore,
  { no, account_no: accountNo }: StoredWebhook,
  nowMs: number,
): Promise<void> {
  const { database } = store
  const hideStatement = database
    .updateTable('webhook_endpoints')
    .set({ deleted_at: nowMs, secret: null, previous_secret: null, description: '', url: '' })
    .where('no', '=', no)
    .where('deleted_at', 'is', null)
  await store.writeAtomically(
    lockSubscriptions(database, accountNo),
    hideStatement.compile(),
    recountSubscriptions(database, accountNo, nowMs),
  )
}

export async function setSecret(
  database: Kysely<Tables>,
  no: number,
  { secret, previousUntilMs }: { secret: string; previousUntilMs: number },
): Promise<void> {
  await database
    .updateTable('webhook_endpoints')
    .set((row) => ({ previous_secret: row.ref('secret'), previous_until: previousUntilMs, secret }))
    .where('no', '=', no)
    .where('deleted_at', 'is', null)
    .execute()
}

import type { OperatorWebhook } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { mapNullable } from '../lib/map-nullable.ts'
import { disabledReasonOf } from '../webhooks/webhook-view.ts'

export interface OperatorWebhookFilters {
  isFailingOnly: boolean
  accountId?: string | undefined
  /** Lists rows with numbers above this one. */
  afterNo: number
}

/** A webhook with the row numbers that a change needs. */
export interface WebhookOfAccount {
  no: number
  accountNo: number
  view: OperatorWebhook
}

/** Lists the webhooks of all accounts, oldest first. */
export async function listOperatorWebhooks(
  database: Kysely<Tables>,
  { isFailingOnly, accountId, afterNo }: OperatorWebhookFilters,
  limit: number,
): Promise<WebhookOfAccount[]> {
  const rows = await selectWebhooks(database)
    .$if(isFailingOnly, onlyNeedingAttention)
    .$if(accountId !== undefined, (builder) => builder.where('account.id', '=', accountId ?? ''))
    .where('webhook.no', '>', afterNo)
    .orderBy('webhook.no')
    .limit(limit)
    .execute()
  return rows.map(webhookOf)
}

/**
 * Lists webhooks that are failing or that the service has disabled. Those that have failed for the
 * longest time come first.
 */
export async function listFailingWebhooks(database: Kysely<Tables>, limit: number): Promise<OperatorWebhook[]> {
  const rows = await onlyNeedingAttention(selectWebhooks(database)).orderBy('webhook.failing_since').limit(limit).execute()
  return rows.map((row) => webhookOf(row).view)
}

/**
 * Finds a webhook of the kind `account`. Webhooks of the kind `task` cannot be changed, so they are
 * not found.
 */
export async function findOperatorWebhook(database: Kysely<Tables>, id: string): Promise<WebhookOfAccount | undefined> {
  const row = await selectWebhooks(database).where('webhook.id', '=', id).where('webhook.kind', '=', 'account').executeTakeFirst()
  return row && webhookOf(row)
}

type WebhookQuery = ReturnType<typeof selectWebhooks>
type WebhookRow = Awaited<ReturnType<WebhookQuery['execute']>>[number]

function selectWebhooks(database: Kysely<Tables>) {
  return database
    .selectFrom('webhook_endpoints as webhook')
    .innerJoin('accounts as account', 'account.no', 'webhook.account_no')
    .select(['webhook.no', 'webhook.id', 'webhook.account_no', 'webhook.kind', 'webhook.url', 'webhook.enabled'])
    .select(['webhook.suspended', 'webhook.disabled_reason', 'webhook.failures', 'webhook.failing_since'])
    .select(['account.id as account', 'account.name as account_name'])
    .where('webhook.deleted_at', 'is', null)
}

function onlyNeedingAttention(webhookQuery: WebhookQuery): WebhookQuery {
  return webhookQuery.where((builder) =>
    builder.or([
      builder.and([builder('webhook.is_failing', '=', 1), builder('webhook.enabled', '=', 1)]),
      builder.and([builder('webhook.disabled_reason', 'is not', null), builder('webhook.suspended', '=', 0)]),
    ]),
  )
}

function webhookOf(row: WebhookRow): WebhookOfAccount {
  return {
    no: row.no,
    accountNo: row.account_no,
    view: {
      object: 'operator_webhook',
      id: row.id,
      account: row.account,
      account_name: row.account_name,
      kind: row.kind,
      url: row.url,
      enabled: row.enabled === 1,
      disabled_reason: disabledReasonOf(row),
      failures: row.failures,
      failing_since: mapNullable(row.failing_since, (ms) => Math.floor(ms / 1000)),
    },
  }
}

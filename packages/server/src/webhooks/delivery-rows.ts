import { sql, type Kysely, type Selectable } from 'kysely'
import type { EventType, WebhookDeliveryStatus } from '@framegate/contract'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../db/tables/event-tables.ts'
import { taskNoOf } from '../identity/task-id.ts'
import type { NewId } from './webhook-rows.ts'

/** A delivery with its last attempt, for the view of the API. */
export interface ShownDelivery extends Selectable<WebhookDeliveryRow> {
  /** URL of the delivery's endpoint. */
  endpoint_url: string
  /** The random part of the task's id. */
  tail: string | null
  lastAttempt: Selectable<WebhookAttemptRow> | null
}

/**
 * Selects one endpoint, or all endpoints of an account (by its number) for the `webhook_url` of
 * tasks.
 */
export type EndpointSelector = { endpointNo: number } | { taskWebhooksOf: number }

export interface DeliveryFilters {
  status?: WebhookDeliveryStatus | undefined
  type?: EventType | undefined
  taskId?: string | undefined
  beforeNo?: number | undefined
}

/** Lists deliveries, newest first. */
export async function listDeliveries(
  database: Kysely<Tables>,
  endpoints: EndpointSelector,
  { status, type, taskId, beforeNo }: DeliveryFilters,
  limit: number,
): Promise<ShownDelivery[]> {
  const rows = await selectShown(database, endpoints)
    .$if(status !== undefined, (selected) => selected.where('delivery.status', '=', status ?? 'pending'))
    .$if(type !== undefined, (selected) => selected.where('delivery.type', '=', type ?? 'webhook.test'))
    .$if(taskId !== undefined, (selected) => selected.where('delivery.task_no', '=', taskNoOf(taskId ?? '')))
    .$if(beforeNo !== undefined, (selected) => selected.where('delivery.no', '<', beforeNo ?? 0))
    .orderBy('delivery.no', 'desc')
    .limit(limit)
    .execute()
  return withLastAttempts(database, rows)
}

export async function findDelivery(
  database: Kysely<Tables>,
  endpoints: EndpointSelector,
  id: string,
): Promise<ShownDelivery | undefined> {
  const row = await selectShown(database, endpoints).where('delivery.id', '=', id).executeTakeFirst()
  return row && (await withLastAttempts(database, [row]))[0]
}

function selectShown(database: Kysely<Tables>, endpoints: EndpointSelector) {
  const allDeliveries = database
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.no', 'delivery.endpoint_no')
    .leftJoin('tasks as task', 'task.no', 'delivery.task_no')
    .selectAll('delivery')
    .select(['endpoint.url as endpoint_url', 'task.tail'])
  if ('endpointNo' in endpoints) return allDeliveries.where('delivery.endpoint_no', '=', endpoints.endpointNo)
  return allDeliveries.where('endpoint.account_no', '=', endpoints.taskWebhooksOf).where('endpoint.kind', '=', 'task')
}

async function withLastAttempts(
  database: Kysely<Tables>,
  rows: readonly Omit<ShownDelivery, 'lastAttempt'>[],
): Promise<ShownDelivery[]> {
  const attemptedRows = rows.filter(({ attempts }) => attempts > 0)
  if (attemptedRows.length === 0) return rows.map((row) => ({ ...row, lastAttempt: null }))
  const attempts = await database
    .selectFrom('webhook_attempts as attempt')
    .innerJoin('webhook_deliveries as delivery', 'delivery.no', 'attempt.delivery_no')
    .selectAll('attempt')
    .where(
      'attempt.delivery_no',
      'in',
      attemptedRows.map(({ no }) => no),
    )
    .whereRef('attempt.number', '=', 'delivery.attempts')
    .execute()
  const byDelivery = new Map(attempts.map((attempt) => [attempt.delivery_no, attempt]))
  return rows.map((row) => ({ ...row, lastAttempt: byDelivery.get(row.no) ?? null }))
}

/** Queues a test event for an endpoint. Returns the id of its delivery. */
export async function insertTest(
  store: Pick<Store, 'writeAtomically' | 'database'>,
  endpointNo: number,
  { newId, nowMs }: { newId: NewId; nowMs: number },
): Promise<string> {
  const { database } = store
  const id = newId('whd')
  const delivery = database.insertInto('webhook_deliveries').values({
    id,
    endpoint_no: endpointNo,
    type: 'webhook.test',
    event_id: newId('evt'),
    event_at: nowMs,
    task_no: null,
    url: null,
    is_manual: 1,
    created_at: nowMs,
    due_at: nowMs,
  })
  await store.writeAtomically(delivery.compile(), markDue(database, endpointNo, nowMs))
  return id
}

/** Queues a delivery again, regardless of its status, with the full number of retries. */
export async function resendDelivery(
  store: Pick<Store, 'writeAtomically' | 'database'>,
  { no, endpoint_no }: Pick<ShownDelivery, 'no' | 'endpoint_no'>,
  nowMs: number,
): Promise<void> {
  const { database } = store
  const requeueStatement = database
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: nowMs, ended_at: null, tries: 0, is_manual: 1 })
    .where('no', '=', no)
  await store.writeAtomically(requeueStatement.compile(), markDue(database, endpoint_no, nowMs))
}

/**
 * Queues failed deliveries again: up to `countMax` that were created at or after `sinceMs`. Returns
 * their number.
 */
export async function resendFailedDeliveries(
  store: Pick<Store, 'writeAtomically' | 'database'>,
  endpointNo: number,
  { sinceMs, nowMs, countMax }: { sinceMs: number; nowMs: number; countMax: number },
): Promise<number> {
  const { database } = store
  const failedDeliveries = await database
    .selectFrom('webhook_deliveries')
    .select('no')
    .where('endpoint_no', '=', endpointNo)
    .where('status', '=', 'failed')
    .where('created_at', '>=', sinceMs)
    .orderBy('no')
    .limit(countMax)
    .execute()
  if (failedDeliveries.length === 0) return 0
  const deliveryNos = failedDeliveries.map(({ no }) => no)
  const requeueStatement = database
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: nowMs, ended_at: null, tries: 0, is_manual: 1 })
    .where('no', 'in', deliveryNos)
    .where('status', '=', 'failed')
  await store.writeAtomically(requeueStatement.compile(), markDue(database, endpointNo, nowMs))
  return deliveryNos.length
}

/**
 * Makes an endpoint due now and ends its pause, because the account has requested a delivery and
 * expects it immediately.
 */
function markDue(database: Kysely<Tables>, endpointNo: number, nowMs: number) {
  return database
    .updateTable('webhook_endpoints')
    .set({ due_at: sql<number>`case when due_at < ${nowMs} then due_at else ${nowMs} end`, paused_until: 0 })
    .where('no', '=', endpointNo)
    .compile()
}

import { sql, type Selectable } from 'kysely'
import { jsonRows } from '../db/json-rows.ts'
import type { Store } from '../db/store.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../db/tables/event-tables.ts'

/**
 * The queue of webhook deliveries. A worker leases an endpoint rather than individual deliveries.
 * Therefore only one process at a time sends requests to an endpoint and can limit their rate, and
 * a claim writes only one row.
 *
 *   due       the `due_at` of the endpoint has passed, and no lease is valid
 *   leased    one worker holds the lease under a fence number, which every claim increments; the
 *             worker renews the lease with every write of results
 *   released  `due_at` is the due time of the endpoint's next delivery, but not before the end of
 *             its pause; null without a delivery
 *
 * A write of results contains its fence number, and changes nothing if the number is outdated. If
 * two workers sent the same delivery, only the result of the worker with the lease counts.
 */
export type QueueStore = Pick<Store, 'database' | 'writeAtomically' | 'isShared'>

export type LeasedEndpoint = Pick<
  Selectable<WebhookEndpointRow>,
  'no' | 'id' | 'account_no' | 'kind' | 'is_failing' | 'failures' | 'lease_fence'
>

export interface ClaimRequest {
  nowMs: number
  leaseMs: number
  /**
   * True claims only endpoints whose last attempt failed, and false only the others. The claims are
   * separate, so that failing endpoints do not delay the others.
   */
  isFailing: boolean
  /**
   * Maximum number of endpoints to claim: the number of free slots for runs, each of which serves
   * one endpoint.
   */
  limit: number
  /** Number of runs of each account that has any. */
  runsByAccount: ReadonlyMap<number, number>
}

/** Maximum number of due endpoints that a claim compares, so that a long queue costs little. */
const comparedMax = 1_000

/**
 * Claims the endpoints that are due first. After a claim, an account has at most one slot more than
 * remain free, so that slow receivers of one account do not delay the events of others.
 */
export async function claimEndpoints({ database, isShared }: QueueStore, request: ClaimRequest): Promise<LeasedEndpoint[]> {
  const { nowMs, leaseMs, isFailing, limit, runsByAccount } = request
  const runs = Array.from(runsByAccount, ([account_no, run_count]) => ({ account_no, run_count }))
  // The read comes first, so that an empty queue causes no write.
  const candidates = await sql<{ no: number }>`
    select no from (
      select no, due_at, run_count, row_number() over (partition by account_no order by due_at, no) as position from (
        select e.no, e.account_no, e.due_at, coalesce(r.run_count, 0) as run_count
        from webhook_endpoints e
        left join ${jsonRows(isShared, runs, { account_no: 'bigint', run_count: 'bigint' })} on r.account_no = e.account_no
        where e.is_failing = ${Number(isFailing)} and e.due_at <= ${nowMs}
          and (e.lease_until is null or e.lease_until < ${nowMs}) and coalesce(r.run_count, 0) < ${limit}
        order by e.due_at
        limit ${comparedMax}
      ) as due
    ) as ranked
    where 2 * position <= ${limit} - run_count + 1
    order by due_at
    limit ${limit}`.execute(database)
  if (candidates.rows.length === 0) return []
  const { rows } = await sql<LeasedEndpoint>`
    update webhook_endpoints
    set lease_until = ${nowMs + leaseMs}, lease_fence = lease_fence + 1
    where no in (
      select no from webhook_endpoints
      where no in (select r.no from ${jsonRows(isShared, candidates.rows, { no: 'bigint' })})
      ${sql.raw(isShared ? 'for update skip locked' : '')}
    ) and due_at <= ${nowMs} and (lease_until is null or lease_until < ${nowMs})
    returning no, id, account_no, kind, is_failing, failures, lease_fence`.execute(database)
  return rows
}

/** Reads the current state of a leased endpoint. Returns undefined if the lease was lost. */
export async function readLeased({ database }: QueueStore, { no, lease_fence }: LeasedEndpoint) {
  return await database
    .selectFrom('webhook_endpoints as endpoint')
    .innerJoin('accounts as account', 'account.no', 'endpoint.account_no')
    .selectAll('endpoint')
    .select(['account.status as account_status', 'account.id as account_id'])
    .where('endpoint.no', '=', no)
    .where('endpoint.lease_fence', '=', lease_fence)
    .executeTakeFirst()
}

export type EndpointState = NonNullable<Awaited<ReturnType<typeof readLeased>>>

export type DueDelivery = Pick<
  Selectable<WebhookDeliveryRow>,
  'no' | 'type' | 'event_id' | 'event_at' | 'task_no' | 'url' | 'tries' | 'is_manual' | 'due_at'
> & { tail: string | null }

/** Reads the due deliveries of an endpoint, earliest due time first. */
export async function readDue(
  { database }: QueueStore,
  endpointNo: number,
  nowMs: number,
  limit: number,
): Promise<DueDelivery[]> {
  return await database
    .selectFrom('webhook_deliveries as delivery')
    .leftJoin('tasks as task', 'task.no', 'delivery.task_no')
    .select(['delivery.no', 'delivery.type', 'delivery.event_id', 'delivery.event_at', 'delivery.task_no', 'delivery.url'])
    .select(['delivery.tries', 'delivery.is_manual', 'delivery.due_at', 'task.tail'])
    .where('delivery.endpoint_no', '=', endpointNo)
    .where('delivery.due_at', '<=', nowMs)
    .orderBy('delivery.due_at')
    .orderBy('delivery.no')
    .limit(limit)
    .execute()
}

export interface DeliveryResult {
  no: number
  status: 'pending' | 'delivered' | 'failed'
  dueAtMs: number | null
  /** Due time when the delivery was read. A different due time in the row shows a later resend. */
  readDueAtMs: number | null
  /** Null: no request was sent, because the endpoint is closed or the event's subject is gone. */
  attempt: {
    atMs: number
    durationMs: number
    isManual: boolean
    statusCode: number | null
    error: string | null
    responseBody: string | null
  } | null
}

/** The change of the endpoint's state that results from its deliveries. */
export interface EndpointChange {
  /** Number of failures to add. Null: resets the count after a success. */
  failures: number | null
  /**
   * A pause, and the start of the attempt that caused it. A resend that the account has requested
   * since then ends the pause.
   */
  pause: { untilMs: number; causedAtMs: number } | null
  disabledReason: 'gone' | 'failing' | null
  /** Whether the worker releases the lease. */
  isReleased: boolean
}

const resultColumns = {
  no: 'bigint',
  status: 'text',
  due_at: 'bigint',
  read_due_at: 'bigint',
  ended_at: 'bigint',
  is_attempt: 'bigint',
  at: 'bigint',
  duration_ms: 'bigint',
  is_manual: 'bigint',
  status_code: 'bigint',
  error: 'text',
  response_body: 'text',
} as const

export interface LeaseWrite {
  endpoint: LeasedEndpoint
  results: readonly DeliveryResult[]
  change: EndpointChange
  nowMs: number
  leaseMs: number
}

/**
 * Writes results and the state of their endpoint in one commit. Returns false if the lease was
 * lost.
 */
export async function writeResults(store: QueueStore, write: LeaseWrite): Promise<boolean> {
  const { database, isShared } = store
  const { endpoint, results, change, nowMs } = write
  const { no, lease_fence: fence } = endpoint
  const statements = [setEndpoint(store, write)]
  if (results.length > 0) {
    const rows = jsonRows(
      isShared,
      results.map((result) => resultRow(result, nowMs)),
      resultColumns,
    )
    // Whether the account has requested a resend during a failed attempt. The delivery then stays
    // due.
    const isResent = sql`(r.status <> 'delivered' and webhook_deliveries.due_at <> r.read_due_at)`
    // The plus sign prevents the planner from using an index on endpoint_no, which would read all
    // deliveries of the endpoint instead of these few.
    statements.push(
      sql`
        update webhook_deliveries
        set status = case when ${isResent} then webhook_deliveries.status else r.status end,
          due_at = case when ${isResent} then webhook_deliveries.due_at else r.due_at end,
          ended_at = case when ${isResent} then null else r.ended_at end,
          is_manual = case when ${isResent} then 1 else 0 end,
          tries = case when ${isResent} then 0 else tries + r.is_attempt end,
          attempts = attempts + r.is_attempt
        from ${rows}
        where webhook_deliveries.no = r.no and +webhook_deliveries.endpoint_no = ${no}`.compile(database),
      // A receiver may echo the event in its response. The response is therefore content of the
      // task, and is not stored if the task was deleted meanwhile.
      sql`
        insert into webhook_attempts (delivery_no, number, at, duration_ms, is_manual, status_code, error, response_body)
        select d.no, d.attempts, r.at, r.duration_ms, r.is_manual, r.status_code, r.error,
          case when exists (select 1 from tasks t where t.no = d.task_no and t.deleted_at is not null) then null
            else r.response_body end
        from ${rows} join webhook_deliveries d on d.no = r.no
        where +d.endpoint_no = ${no} and r.is_attempt = 1`.compile(database),
    )
  }
  if (change.pause !== null) {
    const { untilMs, causedAtMs } = change.pause
    // The first statement waits for concurrent resends. This is a separate statement, so that it sees
    // their deliveries.
    statements.push(
      sql`
        update webhook_endpoints
        set paused_until = case when exists (
          select 1 from webhook_deliveries d
          where d.endpoint_no = webhook_endpoints.no and d.is_manual = 1 and d.due_at > ${causedAtMs} and d.due_at <= ${nowMs}
        ) then 0 else cast(${untilMs} as bigint) end
        where no = ${no} and lease_fence = ${fence}`.compile(database),
    )
  }
  if (change.isReleased) {
    // The new due time is never in the past, so that endpoints that are already due come first.
    const earliestDueAt = sql`case when webhook_endpoints.paused_until > ${nowMs} then webhook_endpoints.paused_until else ${nowMs} end`
    // The first statement waits for concurrent distributions. This is a separate statement, so that
    // it sees their deliveries.
    statements.push(
      sql`
        update webhook_endpoints
        set lease_until = null, due_at = (
          select case when min(d.due_at) < ${earliestDueAt} then ${earliestDueAt} else min(d.due_at) end
          from webhook_deliveries d
          where d.endpoint_no = webhook_endpoints.no and d.due_at is not null
        )
        where no = ${no} and lease_fence = ${fence}`.compile(database),
    )
  }
  const [firstStatement, ...others] = statements
  return firstStatement !== undefined && (await store.writeAtomically(firstStatement, ...others))
}

function setEndpoint({ database }: QueueStore, { endpoint, change, nowMs, leaseMs }: LeaseWrite) {
  const { failures, disabledReason } = change
  const hasFailed = failures !== null && failures > 0
  return database
    .updateTable('webhook_endpoints')
    .set((row) => ({
      lease_until: nowMs + leaseMs,
      ...(failures === null && { failures: 0, is_failing: 0, failing_since: null, paused_until: 0 }),
      ...(hasFailed && {
        failures: row('failures', '+', failures),
        is_failing: 1,
        failing_since: row.fn.coalesce('failing_since', row.val(nowMs)),
      }),
      ...(disabledReason !== null && { enabled: 0, disabled_reason: disabledReason }),
    }))
    .where('no', '=', endpoint.no)
    .where('lease_fence', '=', endpoint.lease_fence)
    .compile()
}

function resultRow({ no, status, dueAtMs, readDueAtMs, attempt }: DeliveryResult, nowMs: number) {
  return {
    no,
    status,
    due_at: dueAtMs,
    read_due_at: readDueAtMs,
    ended_at: status === 'pending' ? null : nowMs,
    is_attempt: attempt === null ? 0 : 1,
    at: attempt?.atMs ?? null,
    duration_ms: attempt?.durationMs ?? null,
    is_manual: Number(attempt?.isManual ?? false),
    status_code: attempt?.statusCode ?? null,
    error: attempt?.error ?? null,
    response_body: attempt?.responseBody ?? null,
  }
}

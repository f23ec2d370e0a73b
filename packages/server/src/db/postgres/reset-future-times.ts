import type pg from 'pg'

export interface ResetTimesOptions {
  leaseMs: number
  /** A clock that replaces the clock of the database in tests. Null: the database's clock is used. */
  nowMs: number | null
}

/** Maximum duration of a lease of a task or a forwarded request, plus a reserve. */
const leaseMsMax = 4 * 60_000
/** Maximum delay of a simulated task before its first claim, plus a reserve. */
const firstDelayMsMax = 65 * 60_000
const tasksPerCallMax = 1_000

/**
 * Resets leases and due times that are later than any that can be written now. They were written
 * while the clock was ahead. Without this, a task of a killed process would wait until the clock
 * reaches that time again. A lease is shortened to a usual duration, because its owner may still be
 * running and renews it before then. A task without a lease becomes due.
 */
export async function resetFutureTimes(client: pg.Client, { leaseMs, nowMs }: ResetTimesOptions): Promise<void> {
  await client.query(
    `with clock as (select coalesce($1, database_ms()) as now_ms), found as (
       select t.no
       from tasks t cross join clock c
       where t.due_at > c.now_ms + $3::bigint and t.virtual_start is null and t.waits = 0
         and (t.lease_until is not null or t.lease_fence > 0 or t.due_at > c.now_ms + $4::bigint)
       limit ${tasksPerCallMax}
       for update of t skip locked
     )
     update tasks t
     set due_at = case when t.lease_until is null then c.now_ms else c.now_ms + $2::bigint end,
       lease_until = case when t.lease_until is not null then c.now_ms + $2::bigint end
     from found f cross join clock c
     where t.no = f.no`,
    [nowMs, leaseMs, leaseMsMax, firstDelayMsMax],
  )
  await client.query(
    `update forwarded_requests
     set lease_until = coalesce($1, database_ms()) + $2::bigint
     where ended_at is null and lease_until > coalesce($1, database_ms()) + $2::bigint`,
    [nowMs, leaseMsMax],
  )
}

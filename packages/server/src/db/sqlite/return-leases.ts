import type { DatabaseSync } from 'node:sqlite'

/**
 * Ends all leases of tasks, forwarded requests and webhook endpoints, and makes leased and delayed
 * tasks due immediately. The data folder is locked, so no process holds these leases any more. The
 * service waits neither for their expiry nor for the delays, because the clock may have been ahead
 * when they were written.
 */
export function returnLeases(database: DatabaseSync, nowMs: number): void {
  database
    .prepare(
      `update tasks set due_at = ?, lease_until = null
       where due_at is not null and virtual_start is null and waits = 0 and (lease_until is not null or due_at > ?)`,
    )
    .run(nowMs, nowMs)
  database.prepare('update forwarded_requests set lease_until = 0 where ended_at is null').run()
  database.prepare('update webhook_endpoints set lease_until = null where lease_until is not null').run()
}

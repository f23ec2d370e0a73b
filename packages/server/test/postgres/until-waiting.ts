import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const waitingSql =
  'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database() and not l.granted'

/** Waits until at least this number of sessions of the database wait for a lock. */
export async function untilWaiting(client: pg.Client, count: number): Promise<void> {
  while (((await client.query(waitingSql)).rowCount ?? 0) < count) {
    await sleep(5)
    // Within a transaction, `pg_stat_activity` otherwise shows only the sessions of its first query.
    await client.query('select pg_stat_clear_snapshot()')
  }
}

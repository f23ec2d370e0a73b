import { DatabaseSync } from 'node:sqlite'

const [oldestMs, newestMs] = [29 * 86_400_000, 86_400_000]
const busyMsMax = 60_000

/**
 * Adds delivered events of the past month to the first webhook, each with one attempt. None is old
 * enough to be removed. Writes to the database file while the service runs.
 */
export function addOldDeliveries(databaseFile: string, count: number): void {
  using database = new DatabaseSync(databaseFile, { timeout: busyMsMax })
  const numbersSql = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
  const createdAtSql = `${Date.now() - oldestMs} + n * ${Math.floor((oldestMs - newestMs) / count)}`
  database.exec(`
    begin;
    insert into webhook_deliveries (no, id, endpoint_no, type, event_id, event_at, status, attempts, tries, created_at, ended_at)
    ${numbersSql}
    select n, 'whd_old_' || n, (select min(no) from webhook_endpoints), 'task.completed', 'evt_old_' || n, ${createdAtSql}, 'delivered', 1, 1, ${createdAtSql}, ${createdAtSql}
    from numbers;
    insert into webhook_attempts (delivery_no, number, at, duration_ms, is_manual, status_code, response_body)
    ${numbersSql}
    select n, 1, ${createdAtSql}, 12, 0, 200, 'ok' from numbers;
    commit;`)
}

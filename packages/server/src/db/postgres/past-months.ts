import type { DroppedMonth } from '../task-history.ts'
import type { ConnectionPool } from './connections.ts'
import { channel } from './listen-connection.ts'
import { isLockTimeout } from './lock-timeout.ts'

/**
 * Drops the tables of the oldest month if all its tasks have lower numbers than `beforeNo`
 * (migration 0025). The server responds only after it has removed the files of these tables, which
 * can take long, so the function uses a connection of its own. The server releases the locks on the
 * tables before it removes the files. The transaction also sends `message` to all processes.
 */
export async function dropPastMonth(connections: ConnectionPool, beforeNo: number, message: string): Promise<DroppedMonth> {
  const client = await connections.connect()
  try {
    const sql = 'select name, pg_notify($2, $3)::text from drop_past_month($1) as name where name is not null'
    const { rows } = await client.query<{ name: string }>(sql, [beforeNo, channel, message])
    const [month] = rows
    return month === undefined ? { kind: 'none' } : { kind: 'dropped', name: month.name }
  } catch (error) {
    if (isLockTimeout(error)) return { kind: 'busy' }
    throw error
  } finally {
    await client.end()
  }
}

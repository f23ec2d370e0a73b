import type { DroppedMonth } from '../task-history.ts'
import type { ConnectionPool } from './connections.ts'

/** Error code of a statement that could not get a lock in time. */
const lockNotAvailable = '55P03'

/**
 * Drops the tables of the oldest month if all its tasks have lower numbers than `beforeNo`
 * (migration 0025). The function uses a separate connection, because the server responds only after
 * it has removed the files of these tables, which can take long. The server releases its locks
 * before it removes the files.
 */
export async function dropPastMonth(connections: ConnectionPool, beforeNo: number): Promise<DroppedMonth> {
  const client = await connections.connect()
  try {
    const { rows } = await client.query<{ name: string | null }>('select drop_past_month($1) as name', [beforeNo])
    const name = rows[0]?.name ?? null
    return name === null ? { kind: 'none' } : { kind: 'dropped', name }
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return { kind: 'busy' }
    throw error
  } finally {
    await client.end()
  }
}

import type { DroppedMonth } from '../task-history.ts'
import type { Connections } from './connections.ts'

/** Code of an error: the statement gave up waiting for a lock. */
const lockNotAvailable = '55P03'

/**
 * Drops the oldest month with only tasks below this number (migration 0025). It has a connection of
 * its own, because the server removes the files of the month after it has released the locks, and
 * responds only then.
 */
export async function dropPastMonth(connections: Connections, beforeNo: number): Promise<DroppedMonth> {
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

import type pg from 'pg'
import type { DroppedMonth } from '../task-history.ts'

/** Code of an error: the statement gave up waiting for a lock. */
const lockNotAvailable = '55P03'

/** Drops the oldest month with only tasks below this number (migration 0025). */
export async function dropPastMonth(client: pg.Client, beforeNo: number): Promise<DroppedMonth> {
  try {
    const { rows } = await client.query<{ name: string | null }>('select drop_past_month($1) as name', [beforeNo])
    const name = rows[0]?.name ?? null
    return name === null ? { kind: 'none' } : { kind: 'dropped', name }
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return { kind: 'busy' }
    throw error
  }
}

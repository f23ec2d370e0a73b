import { backupMark } from '../held-tasks.ts'
import { unavailableOf, type ConnectionPool } from './connections.ts'

/**
 * Puts the unfinished tasks of a restored copy on hold. A database is a restored copy if an
 * operator declares it, or if it contains the mark of a backup. If several processes start at the
 * same time on a marked copy, the one that removes the mark puts the tasks on hold. On a large
 * copy, this takes longer than the time limit of a read, so it runs on a connection of its own.
 */
export async function holdRestored(
  connections: ConnectionPool,
  { isRestored, nowMs }: { isRestored: boolean; nowMs: number | null },
): Promise<void> {
  const marks = await connections.read({ text: 'select from settings where name = $1', values: [backupMark] })
  if (!isRestored && marks.length === 0) return
  const client = await connections.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query('delete from settings where name = $1', [backupMark])
    if (isRestored || rowCount !== 0) await client.query('select hold_restored(coalesce($1, database_ms()))', [nowMs])
    await client.query('commit')
  } catch (error) {
    throw unavailableOf(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

import { prepareTables, openDatabase } from '../../src/db/postgres/open-database.ts'
import { openPostgresStore, type PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** Number of connections for reads. */
export const poolMax = 4

/** Opens a store as the service does. A given clock replaces the database's. */
export async function openTestStore(url: string, clock?: Clock): Promise<PostgresStore> {
  const connections = await openDatabase({ url, poolMax }, async (client, { displayUrl }) => {
    await prepareTables(client, displayUrl, true)
  })
  return openPostgresStore({ connections, ...(clock && { clock }) })
}

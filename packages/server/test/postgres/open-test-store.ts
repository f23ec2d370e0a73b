import { prepareTables, openDatabase } from '../../src/db/postgres/open-database.ts'
import { openPostgresStore, type PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import type { Clock } from '../../src/lib/clock.ts'

/** Opens a store as the service does. A clock, if given, replaces that of the database. */
export async function openTestStore(url: string, clock?: Clock): Promise<PostgresStore> {
  const connections = await openDatabase({ url, poolMax: 4 }, async (client, { displayUrl }) => {
    await prepareTables(client, displayUrl, true)
  })
  return openPostgresStore({ connections, ...(clock && { clock }) })
}

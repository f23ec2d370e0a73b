import type { Config } from '../config/config.ts'
import type { MigrationResult } from '../db/postgres/migrate.ts'

export interface MigratedDatabase extends MigrationResult {
  /** Host, port and name of the database. */
  database: string
}

/**
 * Migrates the tables of the PostgreSQL database. Returns null for SQLite, where each start of the
 * service migrates the tables. `onBlocked` is called with the name of each migration that has to
 * wait for another transaction.
 */
export async function migrateDatabase(
  { database }: Pick<Config, 'database'>,
  onBlocked: (migration: string) => void,
): Promise<MigratedDatabase | null> {
  if (database.kind === 'sqlite') return null
  const [{ migrate }, { openDatabase }] = await Promise.all([
    import('../db/postgres/migrate.ts'),
    import('../db/postgres/open-database.ts'),
  ])
  let migrated: MigrationResult = { applied: [], unknown: [] }
  const connections = await openDatabase({ url: database.url.reveal(), poolMax: 1 }, async (client) => {
    migrated = await migrate(client, onBlocked)
  })
  await connections.end()
  return { database: connections.displayUrl, ...migrated }
}

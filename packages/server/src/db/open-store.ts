import type { DatabaseConfig } from '../config/config.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { TaskChanges } from './task-changes.ts'
import { removeForeignLog } from './sqlite/remove-foreign-log.ts'
import { requireDatabase } from './sqlite/require-database.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { SqliteThreadStore, type SqliteThreadStoreOptions } from './sqlite/sqlite-thread-store.ts'
import type { Store } from './store.ts'
import type { ThreadStore } from './thread-store.ts'

export interface OpenedStore {
  store: Store
  /** The clock that all processes share: that of the PostgreSQL server, or this machine's clock. */
  clock: Clock
}

export interface StoreOptions {
  dataDir: string
  logger: Logger
  /** Whether the operator has declared the database a restored copy. */
  isRestored: boolean
  /** Counts the changes of tasks for the other threads of this process. */
  taskChanges: TaskChanges
}

/**
 * Opens the store that the settings name, and applies missing migrations if the settings allow it.
 * Throws a `StartupError` for an error that an operator can correct.
 */
export async function openStore(
  database: DatabaseConfig,
  { dataDir, logger, isRestored, taskChanges }: StoreOptions,
): Promise<OpenedStore> {
  switch (database.kind) {
    case 'sqlite':
      requireDatabase(dataDir)
      removeForeignLog(dataDir, logger)
      return {
        store: await openSqliteStore({ dataDir, clock: systemClock, logger, isRestored, taskChanges }),
        clock: systemClock,
      }
    case 'postgres': {
      // Loaded here, because a service on SQLite does not need it.
      const [{ requireNoImport }, { openDatabase, prepareTables }, { openPostgresStore }] = await Promise.all([
        import('./postgres/import-rows.ts'),
        import('./postgres/open-database.ts'),
        import('./postgres/postgres-store.ts'),
      ])
      const { url, poolMax, migratesAtStart } = database
      const onBlocked = (migration: string) =>
        logger.warn(`the migration ${migration} waits for the end of another transaction, such as that of pg_dump`)
      const connections = await openDatabase({ url: url.reveal(), poolMax }, async (client, { displayUrl }) => {
        await requireNoImport(client, displayUrl)
        await prepareTables(client, displayUrl, migratesAtStart, onBlocked)
      })
      const store = await openPostgresStore({ connections, isRestored, logger })
      return { store, clock: store.clock }
    }
    default:
      return database satisfies never
  }
}

/** Opens the store of an HTTP thread, on the SQLite database that the main thread has opened. */
export function openSqliteThreadStore(options: SqliteThreadStoreOptions): ThreadStore {
  return new SqliteThreadStore(options)
}

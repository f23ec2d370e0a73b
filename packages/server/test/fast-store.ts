import type { SqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import type { Clock } from '../src/lib/clock.ts'
import { writeMigratedDatabase } from './migrated-database.ts'
import { openInProcessStore, type InProcessStore } from './routing/in-process-store.ts'

/**
 * Opens the SQLite store of a folder with the writer in this thread, which needs a twentieth of the
 * CPU time of a store with threads. A new folder gets an empty database. The store makes no
 * checkpoints, so erased data remains in the log. Started services and crash tests use a store with
 * threads.
 */
export async function openFastStore({ dataDir, clock }: StoreOptions): Promise<SqliteStore> {
  return openQuick({ dataDir, clock }, 0).store
}

/**
 * Like `openFastStore`, but with delays between callers and writer, so that a test can kill the
 * store before a batch reaches the writer or before the reply reaches the caller.
 */
export function openCrashableFastStore({ dataDir, clock }: StoreOptions): InProcessStore {
  return openQuick({ dataDir, clock }, 1)
}

interface StoreOptions {
  dataDir: string
  clock: Clock
}

function openQuick({ dataDir, clock }: StoreOptions, hops: number): InProcessStore {
  return openInProcessStore(writeMigratedDatabase(dataDir), clock, () => hops)
}

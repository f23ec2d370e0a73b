import type { SqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import type { Clock } from '../src/lib/clock.ts'
import { writeMigratedDatabase } from './migrated-database.ts'
import { openInProcessStore, type InProcessStore } from './routing/in-process-store.ts'

/**
 * Opens the SQLite store of a folder, with a writer in this thread. A new folder gets an empty
 * database. This store needs a twentieth of the CPU time of a store with threads, which all started
 * services and the suites about crashes use. It makes no checkpoints, so erased data remains in the
 * log.
 */
export async function openFastStore({ dataDir, clock }: Parts): Promise<SqliteStore> {
  return openQuick({ dataDir, clock }, 0).store
}

/**
 * Like `openFastStore`, with delays between the callers and the writer. A test can stop this store
 * before a batch reaches the writer, or before the reply reaches the caller.
 */
export function openCrashableFastStore({ dataDir, clock }: Parts): InProcessStore {
  return openQuick({ dataDir, clock }, 1)
}

interface Parts {
  dataDir: string
  clock: Clock
}

function openQuick({ dataDir, clock }: Parts, hops: number): InProcessStore {
  return openInProcessStore(writeMigratedDatabase(dataDir), clock, () => hops)
}

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '../src/db/sqlite/migrate.ts'
import { openWritingConnection } from '../src/db/sqlite/open-database.ts'
import type { SqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import { systemClock, type Clock } from '../src/lib/clock.ts'
import { openInProcessStore } from './routing/in-process-store.ts'

/** Content of a migrated database, once it has been needed. */
let migrated: Buffer | null = null

/**
 * Opens the SQLite store of a folder, empty at first, whose writer runs in this thread. It needs a
 * twentieth of the CPU time of a store with threads, which the suites of the store and all started
 * services use. It makes no checkpoints, so what is erased stays in the log.
 */
export async function openQuickStore({ dataDir, clock }: { dataDir: string; clock: Clock }): Promise<SqliteStore> {
  const file = path.join(dataDir, 'framegate.db')
  if (!existsSync(file)) writeFileSync(file, (migrated ??= migrateDatabase()))
  return openInProcessStore(file, clock, () => 0).store
}

function migrateDatabase(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-migrated-'))
  const file = path.join(folder, 'framegate.db')
  const database = openWritingConnection(file)
  migrate(database, systemClock())
  database.close()
  const content = readFileSync(file)
  rmSync(folder, { recursive: true })
  return content
}

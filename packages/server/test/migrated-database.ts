import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '../src/db/sqlite/migrate.ts'
import { openWritingConnection } from '../src/db/sqlite/open-database.ts'
import { systemClock } from '../src/lib/clock.ts'

/** Contents of a migrated database without rows. Null until the first use. */
let migrated: Buffer | null = null

/**
 * Copies a migrated database into the data folder, unless the folder has a database, and returns
 * its path. This takes a twentieth of the CPU time of the migrations, which have their own tests.
 */
export function writeMigratedDatabase(dataDir: string): string {
  const file = path.join(dataDir, 'framegate.db')
  if (!existsSync(file)) writeFileSync(file, (migrated ??= migrateDatabase()))
  return file
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

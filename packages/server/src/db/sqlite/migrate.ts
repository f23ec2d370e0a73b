import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

const migrationsFolder = new URL('../../../migrations/sqlite/', import.meta.url)
const namePattern = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Applies every migration that is missing in the database, in order, each in a transaction of its
 * own. A transaction first writes the number of its migration. If two processes migrate at the same
 * time, the second one finds this number and skips the migration. Throws if the database has
 * migrations of a newer version.
 */
export function migrate(database: DatabaseSync, nowMs: number): void {
  database.exec(
    'create table if not exists migrations (number integer primary key, name text not null, applied_at integer not null)',
  )
  const appliedMigrations = new Set(
    database
      .prepare('select number from migrations')
      .all()
      .map((row) => Number(row['number'])),
  )
  const migrations = listMigrations()
  // A migration may sort all rows of a table, which may exceed the memory.
  database.exec('pragma temp_store = file')
  for (const number of appliedMigrations) {
    if (!migrations.some((migration) => migration.number === number)) {
      throw new Error(`the database was written by a newer version of Framegate (migration ${number} is unknown here)`)
    }
  }
  for (const { number, name } of migrations) {
    if (appliedMigrations.has(number)) continue
    database.exec('begin immediate')
    try {
      const claimResult = database.prepare('insert or ignore into migrations values (?, ?, ?)').run(number, name, nowMs)
      if (claimResult.changes === 1) database.exec(readFileSync(new URL(name, migrationsFolder), 'utf8'))
      database.exec('commit')
    } catch (error) {
      // SQLite itself rolls back a transaction that fills the disk.
      if (database.isTransaction) database.exec('rollback')
      throw new Error(`migration ${name} failed`, { cause: error })
    }
  }
  database.exec('pragma temp_store = memory')
}

function listMigrations(): { number: number; name: string }[] {
  return readdirSync(migrationsFolder)
    .toSorted()
    .flatMap((name) => {
      const match = namePattern.exec(name)
      return match ? [{ number: Number(match[1]), name }] : []
    })
}

import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../../src/db/sqlite/sqlite-store.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { migrationsOf } from './fixture.ts'
import { describeUpgrades } from './upgrade.suite.ts'

const folder = new URL('../../migrations/sqlite/', import.meta.url)

describeUpgrades({
  name: 'SQLite',
  fixtures: ['0.1.0.sqlite.json'],
  async load(fixture, dataDir) {
    const database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
    database.exec('create table migrations (number integer primary key, name text not null, applied_at integer not null)')
    for (const { number, name, sql } of migrationsOf(fixture, folder)) {
      database.exec(sql)
      database.prepare('insert into migrations values (?, ?, 0)').run(number, name)
    }
    for (const [table, { columns, rows }] of Object.entries(fixture.tables)) {
      // Migrations and triggers may have written rows.
      database.exec(`delete from ${table}`)
      const insert = database.prepare(
        `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...row)
    }
    database.close()
    return { environment: {}, openStore: () => openSqliteStore({ dataDir, clock: systemClock }) }
  },
})

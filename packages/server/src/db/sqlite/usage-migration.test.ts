import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describeUsageMigration } from '../suites/usage-migration.suite.ts'
import { migrate } from './migrate.ts'
import { verifyCredits } from './verify-credits.ts'

const folder = new URL('../../../migrations/sqlite/', import.meta.url)
const testedMigration = '0004-usage-by-route.sql'

describeUsageMigration({
  name: 'sqlite',
  engineColumns: [['hold_entry_no', '0']],
  async open() {
    const database = new DatabaseSync(':memory:')
    database.exec('create table migrations (number integer primary key, name text not null, applied_at integer not null)')
    for (const name of readdirSync(folder).filter((file) => file < testedMigration)) {
      database.exec(readFileSync(new URL(name, folder), 'utf8'))
      database.prepare('insert into migrations values (?, ?, 0)').run(Number(name.slice(0, 4)), name)
    }
    return {
      run: async (sql) => database.exec(sql),
      migrate: async () => migrate(database, 0),
      readRows: async (sql) =>
        database
          .prepare(sql)
          .all()
          .map((row) => Object.fromEntries(Object.entries(row))),
      findWrongUsage: async () => verifyCredits(database).differences.filter((difference) => difference.includes('usage')),
      close: async () => database.close(),
    }
  },
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe } from 'vitest'
import { hasPostgres, newUnmigratedDatabase } from '../../../test/postgres/test-database.ts'
import { describeUsageMigration } from '../suites/usage-migration.suite.ts'
import { ConnectionPool } from './connections.ts'
import { migrate } from './migrate.ts'
import { checkCredits } from './verify-credits.ts'

const folder = new URL('../../../migrations/postgres/', import.meta.url)
const testedMigration = '0011-usage-by-route.sql'

describe.runIf(hasPostgres)('PostgreSQL', () => {
  describeUsageMigration({
    name: 'postgres',
    engineColumns: [],
    async open() {
      const client = await new ConnectionPool(await newUnmigratedDatabase(), 1).connect()
      await client.query(
        'create table migrations (number bigint primary key, name text not null, applied_at timestamptz not null default now())',
      )
      for (const name of readdirSync(folder).filter((file) => file < testedMigration)) {
        await client.query(readFileSync(new URL(name, folder), 'utf8'))
        await client.query('insert into migrations (number, name) values ($1, $2)', [Number(name.slice(0, 4)), name])
      }
      return {
        run: async (sql) => void (await client.query(sql)),
        migrate: async () => void (await migrate(client)),
        readRows: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
        findWrongUsage: async () => (await checkCredits(client)).differences.filter((difference) => difference.includes('usage')),
        close: () => client.end(),
      }
    },
  })
})

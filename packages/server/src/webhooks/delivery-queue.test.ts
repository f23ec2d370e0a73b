import { DatabaseSync } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../db/sqlite/migrate.ts'
import type { Statement } from '../db/statement.ts'
import type { Tables } from '../db/tables.ts'
import { writeResults } from './delivery-queue.ts'

it('writing results finds deliveries by number or due time, and does not scan all deliveries of an endpoint', async () => {
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const statements: Statement[] = []
  const writeAtomically = async (...written: Statement[]): Promise<boolean> => statements.push(...written) > 0
  const attempt = { atMs: 1, durationMs: 1, isManual: false, statusCode: 200, error: null, responseBody: null }
  await writeResults(
    { database, writeAtomically, isShared: false },
    {
      endpoint: { no: 1, id: 'wh_1', account_no: 1, kind: 'account', is_failing: 0, failures: 0, lease_fence: 1 },
      results: [{ no: 7, status: 'delivered', dueAtMs: null, readDueAtMs: 1, attempt }],
      change: { failures: null, pause: null, disabledReason: null, isReleased: true },
      nowMs: 1,
      leaseMs: 1,
    },
  )
  using migratedDatabase = new DatabaseSync(':memory:')
  migrate(migratedDatabase, 0)
  const steps = statements.flatMap(({ sql, parameters }) =>
    migratedDatabase.prepare(`explain query plan ${sql}`).all(...(parameters as number[])),
  )
  const details = steps.map(({ detail }) => String(detail)).filter((detail) => /\b(d|webhook_deliveries)\b/.test(detail))
  expect(details).toEqual([
    'SEARCH webhook_deliveries USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH d USING COVERING INDEX webhook_deliveries_due_at_idx (endpoint_no=? AND due_at>?)',
  ])
})

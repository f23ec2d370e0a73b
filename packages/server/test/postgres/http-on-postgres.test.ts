import { describe } from 'vitest'
import { engineOfTests } from '../engine-of-tests.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

/** Runs the HTTP tests of SQLite on PostgreSQL too. */
if (hasPostgres) {
  engineOfTests.open = async (_dataDir, clock) => openTestStore(await newDatabase(), clock)
  await import('../http-credits.test.ts')
  await import('../http-idempotency.test.ts')
  await import('../http-polling.test.ts')
  await import('../http-attempts.test.ts')
  await import('../http-task-parameters.test.ts')
  await import('../http-brand-look.test.ts')
  await import('../http-deletion.test.ts')
} else {
  describe.skip('HTTP on PostgreSQL')
}

import { describe } from 'vitest'
import { engineOfTests } from '../engine-of-tests.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

/**
 * Separate from http-on-postgres.test.ts, where each of these many tests would open the services of
 * the other files.
 */
if (hasPostgres) {
  engineOfTests.open = async (_dataDir, clock) => openTestStore(await newDatabase(), clock)
  await import('../http-text.test.ts')
} else {
  describe.skip('HTTP on PostgreSQL')
}

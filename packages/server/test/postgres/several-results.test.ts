import { afterAll, beforeEach, describe } from 'vitest'
import { leaseMs } from '../../src/dispatch/lease.ts'
import { describeSeveralResults } from '../upstreams/several-results.suite.ts'
import { emptiedDatabase, type EmptiedDatabase } from './emptied-databases.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres } from './test-database.ts'

describe.runIf(hasPostgres)('PostgreSQL', () => {
  let database: EmptiedDatabase | undefined
  /** How far the clock of the stores is ahead. */
  let aheadMs: number
  beforeEach(async () => {
    aheadMs = 0
    await database?.[Symbol.asyncDispose]()
    database = await emptiedDatabase()
  })
  afterAll(async () => database?.[Symbol.asyncDispose]())

  describeSeveralResults(async () => {
    const store = await openTestStore(database?.url ?? '', () => Date.now() + aheadMs)
    return {
      store,
      async crash() {
        await store.crash()
        // The next process takes the tasks over once their leases have expired.
        aheadMs += leaseMs
      },
    }
  })
})

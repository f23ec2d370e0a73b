import { afterAll, beforeEach, describe } from 'vitest'
import { describeSeveralResults } from '../upstreams/several-results.suite.ts'
import { emptiedDatabase, type EmptiedDatabase } from './emptied-databases.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres } from './test-database.ts'

describe.runIf(hasPostgres)('PostgreSQL', () => {
  let database: EmptiedDatabase | undefined
  beforeEach(async () => {
    await database?.[Symbol.asyncDispose]()
    database = await emptiedDatabase()
  })
  afterAll(async () => database?.[Symbol.asyncDispose]())

  describeSeveralResults(async () => {
    const store = await openTestStore(database?.url ?? '')
    return { store, crash: () => store.crash() }
  })
})

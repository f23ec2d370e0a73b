import { describe } from 'vitest'
import { openTestStore } from '../../../test/postgres/open-test-store.ts'
import { hasPostgres, newDatabase } from '../../../test/postgres/test-database.ts'
import { describeEntries } from '../store-entries.suite.ts'
import { describeMoney } from '../store-money.suite.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { describeStore } from '../store.suite.ts'
import type { PostgresStore } from './postgres-store.ts'

let url = ''
let opened: PostgresStore

async function open(clock: () => number): Promise<PostgresStore> {
  opened = await openTestStore(url, clock)
  return opened
}

const postgres: StoreUnderTest = {
  name: 'postgres',
  async open(clock) {
    url = await newDatabase()
    return open(clock)
  },
  async reopen(clock) {
    await opened[Symbol.asyncDispose]()
    return open(clock)
  },
  async crash(clock) {
    await opened.crash()
    return open(clock)
  },
  async close() {
    await opened[Symbol.asyncDispose]()
  },
}

describe.runIf(hasPostgres)('PostgreSQL', () => {
  describeStore(postgres)
  describeMoney(postgres)
  describeEntries(postgres)
})

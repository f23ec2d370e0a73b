import { describe, expect, vi } from 'vitest'
import { rowsOf } from '../../../test/postgres/postgres-server.ts'
import { emptiedDatabase, type EmptiedDatabase } from '../../../test/postgres/emptied-databases.ts'
import { findMiscountedSlots } from '../../../test/postgres/miscounted-slots.ts'
import { findMiscountedTasks } from '../../../test/postgres/miscounted-tasks.ts'
import { hasPostgres } from '../../../test/postgres/test-database.ts'
import { describePromptRetention } from '../../deletion/prompt-retention.suite.ts'
import { describeTaskRetention } from '../../deletion/task-retention.suite.ts'
import { describeErasing } from '../suites/store-erasing.suite.ts'
import { describeEvents } from '../suites/store-events.suite.ts'
import { describeEntries } from '../suites/store-entries.suite.ts'
import { describeForwarded } from '../suites/store-forwarded.suite.ts'
import { describeHeldTasks } from '../suites/store-held.suite.ts'
import { describeResults } from '../suites/store-results.suite.ts'
import { describeTexts } from '../suites/store-texts.suite.ts'
import { describeMoney } from '../suites/store-money.suite.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { describeSlots } from '../suites/store-slots.suite.ts'
import { describeUsage } from '../suites/store-usage.suite.ts'
import { describeStore } from '../suites/store.suite.ts'
import { describeCredits } from '../suites/store-credits.suite.ts'
import { describeLimits } from '../suites/store-limits.suite.ts'
import { describeTaskAssets } from '../suites/store-task-assets.suite.ts'
import type { PostgresStore } from './postgres-store.ts'

let database: EmptiedDatabase
let openedStore: PostgresStore

async function open(clock: () => number): Promise<PostgresStore> {
  openedStore = await database.open(clock)
  return openedStore
}

/**
 * Waits until the sessions of the database have ended. After a client is gone, the server still
 * finishes a statement that it has received, and may commit it.
 */
async function waitForSessionEnds(): Promise<void> {
  const sessions = `
    select query, state from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  await vi.waitFor(async () => expect(await rowsOf(database.url, sessions)).toEqual([]), { timeout: 10_000 })
}

const postgres: StoreUnderTest = {
  name: 'postgres',
  async open(clock) {
    database = await emptiedDatabase()
    return open(clock)
  },
  async reopen(clock) {
    await openedStore[Symbol.asyncDispose]()
    return open(clock)
  },
  async crash(clock) {
    await database.crash(openedStore)
    await waitForSessionEnds()
    return open(clock)
  },
  async close() {
    await openedStore[Symbol.asyncDispose]()
    expect(await findMiscountedSlots(database.rows)).toEqual([])
    expect(await findMiscountedTasks(database.rows)).toEqual([])
    await database[Symbol.asyncDispose]()
  },
}

describe.runIf(hasPostgres)('PostgreSQL', () => {
  describeStore(postgres)
  describeTaskAssets(postgres)
  describeLimits(postgres)
  describeCredits(postgres)
  describeMoney(postgres)
  describeEntries(postgres)
  describeEvents(postgres)
  describeSlots(postgres)
  describeHeldTasks(postgres)
  describeResults(postgres)
  describeTexts(postgres)
  describeUsage(postgres)
  describeForwarded(postgres)
  describeErasing(postgres)
  describePromptRetention(postgres)
  describeTaskRetention(postgres)
})

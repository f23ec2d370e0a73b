import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { writeMigratedDatabase } from '../../../test/migrated-database.ts'
import { openCrashableFastStore } from '../../../test/fast-store.ts'
import type { InProcessStore } from '../../../test/routing/in-process-store.ts'
import { createdAtMsOf } from '../../identity/task-id.ts'
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
import { newAccount, newTask, startMs, type StoreUnderTest } from '../store-under-test.ts'
import { describeSlots } from '../suites/store-slots.suite.ts'
import { describeUsage } from '../suites/store-usage.suite.ts'
import { describeStore } from '../suites/store.suite.ts'
import { describeCredits } from '../suites/store-credits.suite.ts'
import { describeLimits } from '../suites/store-limits.suite.ts'
import { describeTaskAssets } from '../suites/store-task-assets.suite.ts'
import { openCrashableStore, type CrashableStore } from './crashable-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let dataDir = ''
let openedStore: CrashableStore | InProcessStore

/** Returns a SQLite store for the suites, which `openIn` opens in a data folder. */
function storeUnderTest(
  name: string,
  openIn: (dataDir: string, clock: () => number) => Promise<CrashableStore | InProcessStore>,
): StoreUnderTest {
  async function open(clock: () => number): Promise<SqliteStore> {
    openedStore = await openIn(dataDir, clock)
    return openedStore.store
  }
  return {
    name,
    open(clock) {
      dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-store-'))
      writeMigratedDatabase(dataDir)
      return open(clock)
    },
    async reopen(clock) {
      await openedStore.store[Symbol.asyncDispose]()
      return open(clock)
    },
    async crash(clock) {
      await openedStore.crash()
      return open(clock)
    },
    async close() {
      await openedStore.store[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The store as the service uses it. A crash stops its writer thread at any instruction. */
const sqlite = storeUnderTest('sqlite', openCrashableStore)
/**
 * The store with a writer in this thread, for suites that are not mainly about crashes and restored
 * copies. A test takes a third of the CPU time, because no threads are started.
 */
const sqliteInThread = storeUnderTest('sqlite in one thread', async (folder, clock) =>
  openCrashableFastStore({ dataDir: folder, clock }),
)

describeMoney(sqlite)
describeEvents(sqlite)
describeResults(sqlite)
describeUsage(sqlite)
describeForwarded(sqlite)
describeHeldTasks(sqlite)
describeErasing(sqlite)
describeStore(sqliteInThread)
describeTaskAssets(sqliteInThread)
describeLimits(sqliteInThread)
describeCredits(sqliteInThread)
describeEntries(sqliteInThread)
describeSlots(sqliteInThread)
describeTexts(sqliteInThread)
describePromptRetention(sqliteInThread)
describeTaskRetention(sqliteInThread)

it('a task accepted right before a crash is listed, even if a fast clock had assigned higher task numbers', async () => {
  const yearMs = 365 * 24 * 60 * 60 * 1000
  let nowMs = startMs
  let store = await sqlite.open(() => nowMs)
  const accountNo = await newAccount(store, 'acct', 100)
  const nextId = store.createTaskIds(() => nowMs)
  const acceptTask = async () => {
    const id = nextId()
    expect((await store.accept(newTask({ id, accountNo }))).kind).toBe('accepted')
    return id
  }
  nowMs += yearMs
  const aheadId = await acceptTask()
  const readListedUntil = () =>
    store.database.selectFrom('settings').select('value').where('name', '=', 'tasks_listed_until').execute()
  await vi.waitFor(async () => expect(await readListedUntil()).toHaveLength(1), { timeout: 10_000 })
  nowMs = startMs + 60_000
  const correctedId = await acceptTask()
  expect(createdAtMsOf(correctedId)).toBe(nowMs)
  store = await sqlite.crash(() => nowMs)
  expect((await store.list({ accountNo, limit: 10 })).map(({ id }) => id)).toEqual([aheadId, correctedId])
  await sqlite.close()
})

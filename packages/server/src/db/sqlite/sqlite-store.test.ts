import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { describeEntries } from '../store-entries.suite.ts'
import { describeMoney } from '../store-money.suite.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { describeStore } from '../store.suite.ts'
import { openReadingConnection } from './open-database.ts'
import { SqliteStore } from './sqlite-store.ts'

let dataDir = ''
let store: SqliteStore
let writer: Worker

/** As `openSqliteStore` does, with the writer at hand, so that it can be stopped in the middle. */
async function open(clock: () => number): Promise<SqliteStore> {
  const file = path.join(dataDir, 'framegate.db')
  writer = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { file, nowMs: clock() } })
  const [answer] = (await once(writer, 'message')) as [unknown]
  if (answer !== 'ready') throw new Error(`the store does not open: ${JSON.stringify(answer)}`)
  const checkpointer = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: file })
  store = new SqliteStore(writer, checkpointer, openReadingConnection(file), clock)
  return store
}

const sqlite: StoreUnderTest = {
  name: 'sqlite',
  open(clock) {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-store-'))
    return open(clock)
  },
  async reopen(clock) {
    await store[Symbol.asyncDispose]()
    return open(clock)
  },
  async crash(clock) {
    await writer.terminate()
    await store[Symbol.asyncDispose]()
    return open(clock)
  },
  async close() {
    await store[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  },
}

describeStore(sqlite)
describeMoney(sqlite)
describeEntries(sqlite)

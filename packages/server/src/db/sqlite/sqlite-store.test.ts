import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeEntries } from '../store-entries.suite.ts'
import { describeMoney } from '../store-money.suite.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { describeSlots } from '../store-slots.suite.ts'
import { describeStore } from '../store.suite.ts'
import { openCrashableStore, type CrashableStore } from './crashable-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let dataDir = ''
let opened: CrashableStore

async function open(clock: () => number): Promise<SqliteStore> {
  opened = await openCrashableStore(dataDir, clock)
  return opened.store
}

const sqlite: StoreUnderTest = {
  name: 'sqlite',
  open(clock) {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-store-'))
    return open(clock)
  },
  async reopen(clock) {
    await opened.store[Symbol.asyncDispose]()
    return open(clock)
  },
  async crash(clock) {
    await opened.crash()
    return open(clock)
  },
  async close() {
    await opened.store[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  },
}

describeStore(sqlite)
describeMoney(sqlite)
describeEntries(sqlite)
describeSlots(sqlite)

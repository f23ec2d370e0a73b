import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Store } from '../store.ts'
import { describeStore } from '../store.suite.ts'
import { openSqliteStore } from './sqlite-store.ts'

let dataDir = ''
let opened: Store[] = []

async function open(clock: () => number): Promise<Store> {
  const store = await openSqliteStore({ dataDir, clock })
  opened.push(store)
  return store
}

describeStore({
  name: 'sqlite',
  open(clock) {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-store-'))
    return open(clock)
  },
  async reopen(clock) {
    for (const store of opened.splice(0)) await store[Symbol.asyncDispose]()
    return open(clock)
  },
  async close() {
    for (const store of opened.splice(0)) await store[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  },
})

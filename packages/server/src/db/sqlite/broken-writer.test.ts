import { claimEmbedded } from '../store-under-test.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { createTaskIds } from '../../identity/task-id.ts'
import type { AcceptOutcome } from '../task-queue.ts'
import { openCrashableStore, type CrashableStore } from './crashable-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let folder: string
let crashable: CrashableStore
let store: SqliteStore

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-broken-'))
  crashable = await openCrashableStore(folder, systemClock)
  store = crashable.store
})

afterEach(() => rmSync(folder, { recursive: true }))

it('when its writer thread dies, the store rejects every operation, reports the error once, and can be closed', async () => {
  const errors: string[] = []
  store.onFatal((cause) => errors.push(cause.message))
  const earlyAccept = accept()
  await crashable.writer.terminate()
  expect(await earlyAccept).toMatchObject({ kind: 'failed' })
  expect(await accept()).toMatchObject({ kind: 'failed' })
  await expect(claimEmbedded(store, 1, 1000)).rejects.toThrow('a thread of the database has stopped')
  expect(errors).toEqual(['a thread of the database has stopped'])
  await store[Symbol.asyncDispose]()
})

it('a check of the ledger of a large database rejects when its thread has ended', async () => {
  const filler = new DatabaseSync(path.join(folder, 'framegate.db'))
  filler.exec('create table filler as select zeroblob(1024 * 1024)')
  filler.close()
  await store.verifyCredits()
  const rejected = expect(store.verifyCredits()).rejects.toThrow('a thread of the database has stopped')
  await crashable.checkpointer?.terminate()
  await rejected
  await store[Symbol.asyncDispose]()
})

it.each([
  ['the ledger', () => store.listEntries({ accountNo: 1, limit: 10, taskId: createTaskIds(systemClock)() })],
  ['the tasks', () => store.list({ accountNo: 1, limit: 10 })],
  ['an account', () => store.database.selectFrom('accounts').selectAll().execute()],
])('a read of %s rejects with StoreUnavailable when the disk fails', async (_, read) => {
  const failingRead = vi.spyOn(StatementSync.prototype, 'all').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { errcode: 266 })
  })
  try {
    await expect(read()).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'SQLITE_IOERR' })
  } finally {
    failingRead.mockRestore()
  }
  await store[Symbol.asyncDispose]()
})

function accept(): Promise<AcceptOutcome> {
  const task = {
    keyNo: null,
    model: 'm',
    object: 'image',
    parameters: '{}',
    images: null,
    priceMicroCredits: 0,
    priceNo: null,
    modelVersionNo: null,
    delayMs: 0,
    lane: 0,
    idempotency: null,
  } as const
  return store.accept({ ...task, id: createTaskIds(systemClock)(), accountNo: 1 })
}

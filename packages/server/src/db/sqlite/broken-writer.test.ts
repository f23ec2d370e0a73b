import { claimEmbedded } from '../store-under-test.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { createTaskIds } from '../../lib/task-id.ts'
import type { AcceptOutcome } from '../store.ts'
import { openCrashableStore } from './crashable-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let folder: string
let writer: Worker
let store: SqliteStore

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-broken-'))
  ;({ store, writer } = await openCrashableStore(folder, systemClock))
})

afterEach(() => rmSync(folder, { recursive: true }))

it('answers everything as failed, says so once, and closes, when its writer has died', async () => {
  const faults: string[] = []
  store.onFatal((cause) => faults.push(cause.message))
  const early = accept()
  await writer.terminate()
  expect(await early).toMatchObject({ kind: 'failed' })
  expect(await accept()).toMatchObject({ kind: 'failed' })
  await expect(claimEmbedded(store, 1, 1000)).rejects.toThrow('a thread of the database has stopped')
  expect(faults).toEqual(['a thread of the database has stopped'])
  await store[Symbol.asyncDispose]()
})

function accept(): Promise<AcceptOutcome> {
  const task = {
    keyNo: null,
    model: 'm',
    object: 'image',
    parameters: '{}',
    pictures: null,
    priceMicroCredits: 0,
    priceNo: null,
    delayMs: 0,
    lane: 0,
    idempotency: null,
  } as const
  return new Promise((resolve) => store.accept({ ...task, id: createTaskIds(systemClock)(), accountNo: 1 }, resolve))
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf } from '../../src/db/store-under-test.ts'
import { createTaskIds } from '../../src/identity/task-id.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { openDiskMediaStore, type DiskMediaStore } from '../../src/media/disk-media-store.ts'
import { claimPreviews } from '../../src/previews/preview-rows.ts'
import { Previews } from '../../src/previews/previews.ts'
import { plainPng } from '../plain-png.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const claimMs = 700

/** Two processes with one database and one media store. */
describe.runIf(hasPostgres)('previews requested from several processes', () => {
  const { signal } = new AbortController()
  let folder: string
  let stores: PostgresStore[]
  let previews: Previews[]
  let mediaStore: DiskMediaStore
  const encode = vi.fn(async () => Buffer.from('a thumbnail'))

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-previews-'))
    mediaStore = await openDiskMediaStore(path.join(folder, 'media'))
    const url = await newDatabase()
    stores = [await openTestStore(url), await openTestStore(url)]
    previews = await Promise.all(
      stores.map((store, index) =>
        Previews.open({
          store,
          mediaStore,
          encoders: { encode },
          probeUntrustedFile: () => Promise.reject(new Error('an image is not probed')),
          scratchDir: path.join(folder, `scratch-${index}`),
          clock: () => Date.now(),
          logger: createLogger('silent'),
        }),
      ),
    )
    encode.mockClear()
  })
  afterEach(async () => {
    for (const instance of previews) await instance[Symbol.asyncDispose]()
    for (const store of stores) await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  async function completedImage() {
    const [store] = stores
    const accountNo = await newAccount(store!, 'acct', 1_000)
    await store!.accept(newTask({ id: createTaskIds(() => Date.now())(), accountNo, object: 'image' }))
    const [claim] = await claimEmbedded(store!, 1, leaseMs)
    const objectKey = `${claim!.id}.png`
    const expiresAtMs = Date.now() + 60_000
    const png = plainPng(8, 8)
    const file = { objectKey, contentType: 'image/png', sizeBytes: png.length }
    const result = { ...resultOf(claim!), ...file, durationMs: null, expiresAtMs }
    await mediaStore.put(objectKey, Readable.from([png]), { bytesMax: 1_000_000, signal })
    await store!.complete(claim!, [result], 7)
    return { taskId: claim!.id, result }
  }

  it('a thumbnail that is requested from two processes at the same time is generated once', async () => {
    const { result } = await completedImage()
    const created = await Promise.all(
      [...previews, ...previews].map((instance) => instance.get(result, 'thumbnail', { accountNo: 1, signal })),
    )
    expect(new Set(created.map(({ sha256 }) => sha256)).size).toBe(1)
    expect(encode).toHaveBeenCalledTimes(1)
  })

  it('after the claim of a killed process on a thumbnail has expired, another process generates the thumbnail', async () => {
    const { taskId, result } = await completedImage()
    const key = { taskId, objectKey: result.objectKey }
    expect(await claimPreviews(stores[0]!.database, key, { nowMs: Date.now(), claimMs })).toBe(true)
    expect(await claimPreviews(stores[1]!.database, key, { nowMs: Date.now(), claimMs })).toBe(false)
    const startedAtMs = Date.now()
    await previews[1]!.get(result, 'thumbnail', { accountNo: 1, signal })
    expect(Date.now() - startedAtMs).toBeGreaterThan(500)
    expect(encode).toHaveBeenCalledTimes(1)
  })
})

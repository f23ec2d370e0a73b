import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseThreads, startDatabaseThreads } from './database-threads.ts'
import { openReadingConnection } from './open-database.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-threads-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('the start of the checkpoint thread is retried after Node has thrown, because the system permitted no further thread', async () => {
  const file = path.join(folder, 'framegate.db')
  const { startCheckpointer, ...threads } = await startDatabaseThreads(file, { nowMs: 0, isRestored: false })
  const start = vi.fn<() => Worker>(startCheckpointer).mockImplementationOnce(() => {
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' })
  })
  const logger = { info: vi.fn(), warn: vi.fn() }
  const reader = openReadingConnection(file)
  const databaseThreads = new DatabaseThreads({ ...threads, startCheckpointer: start, file, reader, logger })
  const onFatal = vi.fn()
  databaseThreads.onFatal(onFatal)
  // The checkpoint thread starts at once if content was removed.
  threads.logFlags.setErased()
  await expect.poll(() => start, { timeout: 10_000 }).toHaveBeenCalledTimes(2)
  // The started thread reads the flag.
  await expect.poll(() => threads.logFlags.isErased, { timeout: 10_000 }).toBe(false)
  expect(logger.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('this will be retried'))
  expect(onFatal).not.toHaveBeenCalled()
  databaseThreads.beginClosing()
  reader.close()
  await databaseThreads.close()
})

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeMigratedDatabase } from '../../test/migrated-database.ts'
import { mayMount, mountSmallDisk } from '../../test/small-disk.ts'
import { isReadFailure } from '../db/sqlite/unusable-database.ts'
import { createTaskIds } from '../identity/task-id.ts'
import { StartupError } from '../lib/startup-error.ts'
import { spreadPathOf } from '../media/stored-path.ts'
import { backUp } from './back-up.ts'

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-backup-'))
  dataDir = path.join(folder, 'data')
  mkdirSync(path.join(dataDir, 'kept', 'task_a_2'), { recursive: true })
  writeFileSync(path.join(dataDir, 'kept', 'task_a_1.0'), 'image')
  // A folder of an earlier version.
  writeFileSync(path.join(dataDir, 'kept', 'task_a_2', '0'), 'image')
  writeMigratedDatabase(dataDir)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a backup succeeds while the service stores and collects the results of upstreams', async () => {
  const stopController = new AbortController()
  async function storeAndCollect(attempt: string): Promise<void> {
    const result = path.join(dataDir, 'kept', attempt)
    while (!stopController.signal.aborted) {
      await writeFile(result, 'image')
      await rm(result)
    }
  }
  const attempts = Array.from({ length: 20 }, (_, number) => storeAndCollect(`task_b_1.${number}`))
  const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as Parameters<typeof backUp>[0]
  try {
    for (let copy = 0; copy < 20; copy++) await backUp(config, path.join(folder, `copy-${copy}`), stopController.signal)
  } finally {
    stopController.abort()
    await Promise.all(attempts)
  }
  for (const result of ['task_a_1.0', 'task_a_2/0']) expect(existsSync(path.join(folder, 'copy-19', 'kept', result))).toBe(true)
})

it.skipIf(process.platform === 'win32')('other users cannot read the database of a backup in an existing folder', async () => {
  const target = path.join(folder, 'copies')
  mkdirSync(target, { mode: 0o755 })
  const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as Parameters<typeof backUp>[0]
  await backUp(config, target, new AbortController().signal)
  expect(statSync(path.join(target, 'framegate.db')).mode & 0o777).toBe(0o600)
})

it.skipIf(!mayMount)('a backup of the database to a full disk fails with a clear error and leaves no files', async () => {
  const parent = path.join(folder, 'full')
  using disk = mountSmallDisk(parent, 1)
  disk?.fill()
  // There is space for the first files, but not for the database.
  truncateSync(path.join(parent, 'filler'), 850_000)
  const target = path.join(parent, 'copy')
  const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as Parameters<typeof backUp>[0]
  await expect(backUp(config, target, new AbortController().signal)).rejects.toThrow(`The disk of ${target} is full`)
  expect(existsSync(target)).toBe(false)
})

it('a backup of a database with damaged pages fails, names that database, and leaves no files', async () => {
  const database = path.join(dataDir, 'framegate.db')
  const file = await open(database, 'r+')
  await file.write(Buffer.alloc(4096, 0x99), 0, 4096, 9 * 4096)
  await file.close()
  const target = path.join(folder, 'copy')
  const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as Parameters<typeof backUp>[0]
  const error: unknown = await backUp(config, target, new AbortController().signal).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartupError)
  expect(String(error)).toContain(`The database ${database} is damaged (Tree`)
  expect(existsSync(target)).toBe(false)
})

it.each([
  ['SQLITE_IOERR_READ', 266, true],
  ['SQLITE_IOERR_CORRUPTFS', 8458, true],
  ['SQLITE_IOERR_WRITE', 778, false],
  ['SQLITE_CORRUPT', 11, false],
])('whether %s means that a database could not be read from its disk', (_name, errcode, expected) => {
  expect(isReadFailure(Object.assign(new Error('disk I/O error'), { errcode }))).toBe(expected)
})

it.skipIf(process.platform === 'win32')(
  'a backup fails with an error that names a FIFO in the place of a stored file',
  async () => {
    const objectKey = `${createTaskIds(Date.now)()}.png`
    {
      using database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
      database.exec('pragma foreign_keys = off')
      database
        .prepare(
          `insert into results (task_no, position, object_key, content_type, size_bytes, sha256, width, height, duration_ms, seed, expires_at)
        values (1, 0, ?, 'image/png', 1, '', 1, 1, null, null, 0)`,
        )
        .run(objectKey)
    }
    const fifo = spreadPathOf(path.join(dataDir, 'media'), objectKey)
    mkdirSync(path.dirname(fifo), { recursive: true })
    execFileSync('mkfifo', [fifo])
    const target = path.join(folder, 'copy')
    const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as Parameters<typeof backUp>[0]
    await expect(backUp(config, target, new AbortController().signal)).rejects.toThrow(`${fifo} is not a regular file`)
    expect(existsSync(target)).toBe(false)
  },
)

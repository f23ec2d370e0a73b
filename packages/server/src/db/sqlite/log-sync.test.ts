import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogSync } from './log-sync.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-log-sync-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('calls of LogSync before a sync share it, and calls during the sync share the next one', async () => {
  writeFileSync(path.join(folder, 'a.db-wal'), 'x')
  await using log = new LogSync(path.join(folder, 'a.db'))
  const firstSync = log.sync()
  expect(log.sync()).toBe(firstSync)
  await Promise.resolve()
  const secondSync = log.sync()
  expect(secondSync).not.toBe(firstSync)
  expect(log.sync()).toBe(secondSync)
  await Promise.all([firstSync, secondSync])
})

it('a sync of LogSync rejects as long as the log cannot be opened', async () => {
  await using log = new LogSync(path.join(folder, 'missing.db'))
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  writeFileSync(path.join(folder, 'missing.db-wal'), 'x')
  await log.sync()
})

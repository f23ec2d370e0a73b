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

it('calls that arrive during a sync share the next sync', async () => {
  writeFileSync(path.join(folder, 'a.db-wal'), 'x')
  await using log = new LogSync(path.join(folder, 'a.db'))
  const first = log.sync()
  expect(log.sync()).toBe(first)
  await Promise.resolve()
  const second = log.sync()
  expect(second).not.toBe(first)
  expect(log.sync()).toBe(second)
  await Promise.all([first, second])
})

it('a sync rejects if the log cannot be opened', async () => {
  await using log = new LogSync(path.join(folder, 'missing.db'))
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(log.sync()).rejects.toMatchObject({ code: 'ENOENT' })
})

import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openWritingConnection } from './open-database.ts'

// A test cannot interrupt the power supply. It can check the setting that protects commits from a
// power failure.
it('the writing connection has the settings that sync every commit to disk before it returns', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-pragmas-'))
  const database = openWritingConnection(path.join(folder, 'test.db'))
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('pragma synchronous').get(), '2 is FULL').toEqual({ synchronous: 2 })
  database.close()
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform === 'win32')('other users cannot read a new database in a folder that they can read', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-modes-'))
  chmodSync(folder, 0o755)
  const database = openWritingConnection(path.join(folder, 'test.db'))
  database.exec('create table t (a)')
  const modes = Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).mode & 0o777]))
  expect(modes).toEqual({ 'test.db': 0o600, 'test.db-shm': 0o600, 'test.db-wal': 0o600 })
  database.close()
  rmSync(folder, { recursive: true })
})

import { mkdtempSync, rmSync } from 'node:fs'
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

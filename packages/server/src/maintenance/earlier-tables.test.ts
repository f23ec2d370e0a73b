import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeMigratedDatabase } from '../../test/migrated-database.ts'
import { StartupError } from '../lib/startup-error.ts'
import { exportInstallation } from './move-installation.ts'
import { verifyMedia } from './verify-media.ts'

type VerifiedConfig = Parameters<typeof verifyMedia>[0]

let dataDir: string
let config: VerifiedConfig
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-earlier-'))
  config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as VerifiedConfig
  const database = new DatabaseSync(writeMigratedDatabase(dataDir))
  database.exec('drop table uploads; drop table results')
  database.close()
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it.each([
  ['an export', () => exportInstallation(config, async () => {})],
  [
    'a verification of the media',
    () => verifyMedia(config, { signal: new AbortController().signal, onProgress() {}, onDamaged() {} }),
  ],
])('%s of a database of an earlier version says that the service has to update the tables', async (_name, run) => {
  const error = await run().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(StartupError)
  expect(String(error)).toMatch(
    /framegate\.db was written by another version of Framegate \(no such table: \w+\)\. If that version is older, start the service/,
  )
})

import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { describeRestoredCopy, type Installation } from './restored-copy.suite.ts'

async function create(folder: string): Promise<Installation> {
  return { dataDir: path.join(folder, 'data'), environment: {}, options: [] }
}

describeRestoredCopy({
  name: 'framegate backup',
  create,
  async copy({ dataDir }, folder) {
    const target = path.join(folder, 'copy')
    const { exitCode, stderr } = await runFramegate(['backup', target, '--data-dir', dataDir], { cwd: folder })
    expect(exitCode, stderr).toBe(0)
    return { dataDir: target, environment: {}, options: [] }
  },
})

describeRestoredCopy({
  name: 'a file copy, and started with --restored',
  create,
  async copy({ dataDir }, folder) {
    const target = path.join(folder, 'copy')
    cpSync(dataDir, target, { recursive: true, filter: (file) => !path.basename(file).startsWith('framegate.db') })
    rmSync(path.join(target, 'lock.pid'), { force: true })
    // Like a snapshot of the file system: the database at one moment.
    using database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
    database.prepare('vacuum into ?').run(path.join(target, 'framegate.db'))
    return { dataDir: target, environment: {}, options: ['--restored'] }
  },
  isAbridged: true,
})

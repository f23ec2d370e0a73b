import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DataFolderLost, StartupError } from '../lib/startup-error.ts'
import { lockDataFolder } from './data-folder-lock.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'framegate-lock-'))
})
afterEach(() => {
  rmSync(parent, { recursive: true, force: true })
})

const folder = (name = 'data') => join(parent, name)

it('a missing data folder and its parents are created for their owner alone', () => {
  using _lock = lockDataFolder(folder('a/b'))
  expect(statSync(folder('a/b')).mode & 0o777).toBe(0o700)
})

it('a data folder that this process has locked is refused until the lock is disposed of', () => {
  {
    using _lock = lockDataFolder(folder())
    expect(() => lockDataFolder(folder())).toThrow(
      new StartupError(
        `The data folder ${folder()} is in use by another Framegate (process ${process.pid}). ` +
          'Stop it, or choose another folder with FRAMEGATE_DATA_DIR or --data-dir.',
      ),
    )
  }
  expect(existsSync(join(folder(), 'lock.pid'))).toBe(false)
  lockDataFolder(folder())[Symbol.dispose]()
})

it('disposing of a lock twice does not release the lock of a later holder', () => {
  const earlierLock = lockDataFolder(folder())
  earlierLock[Symbol.dispose]()
  using _laterLock = lockDataFolder(folder())
  earlierLock[Symbol.dispose]()
  expect(existsSync(join(folder(), 'lock.pid'))).toBe(true)
  expect(() => lockDataFolder(folder())).toThrow(StartupError)
})

it('a data folder that another process has locked is refused until that process is killed', async () => {
  const otherProcess = await lockInAnotherProcess(folder())
  try {
    expect(() => lockDataFolder(folder())).toThrow(`in use by another Framegate (process ${otherProcess.pid})`)
  } finally {
    otherProcess.kill('SIGKILL')
    await once(otherProcess, 'exit')
  }
  lockDataFolder(folder())[Symbol.dispose]()
})

it('a lock without references is held through garbage collection', async () => {
  const otherProcess = await lockInAnotherProcess(folder(), 'globalThis.gc(); globalThis.gc()')
  try {
    expect(() => lockDataFolder(folder())).toThrow(StartupError)
  } finally {
    otherProcess.kill('SIGKILL')
    await once(otherProcess, 'exit')
  }
})

it('a data folder is rejected if its path or a parent is a file', () => {
  writeFileSync(folder('file'), '')
  expect(() => lockDataFolder(folder('file'))).toThrow(`cannot be created: there is a file at ${folder('file')}`)
  expect(() => lockDataFolder(folder('file/data'))).toThrow(`cannot be created: there is a file at ${folder('file')}`)
})

it.skipIf(process.getuid?.() === 0)('a data folder without write permission is refused', () => {
  chmodSync(parent, 0o500)
  expect(() => lockDataFolder(folder())).toThrow('cannot be created: permission denied')
  expect(() => lockDataFolder(parent)).toThrow('is not writable: permission denied')
  chmodSync(parent, 0o700)
})

it.skipIf(!existsSync('/proc/self'))('a data folder in a file system without write access is refused, even for root', () => {
  expect(() => lockDataFolder('/proc')).toThrow(/^The data folder \/proc is not writable: /)
  expect(() => lockDataFolder('/proc/framegate')).toThrow(/^The data folder \/proc\/framegate cannot be created: /)
})

it('a data folder whose lock.db is not a database is refused', () => {
  lockDataFolder(folder())[Symbol.dispose]()
  writeFileSync(join(folder(), 'lock.db'), 'this is not a database, but it is long enough to be taken for one'.repeat(20))
  expect(() => lockDataFolder(folder())).toThrow('cannot be locked')
})

it(
  'the watch of a data folder reports the lock as lost when lock.db is deleted and another process acquires the lock',
  { timeout: 60_000 },
  async () => {
    using lock = lockDataFolder(folder())
    rmSync(join(folder(), 'lock.db'))
    const otherProcess = await lockInAnotherProcess(folder())
    try {
      const warnings: string[] = []
      const lostError = await new Promise<Error>((resolve) =>
        lock.watch({ files: [], onLost: resolve, logger: { warn: (message: string) => warnings.push(message) } as never }),
      )
      expect(lostError).toBeInstanceOf(DataFolderLost)
      expect(lostError.message).toContain('the lock cannot be taken again')
      expect(warnings).toEqual([])
    } finally {
      otherProcess.kill('SIGKILL')
    }
  },
)

async function lockInAnotherProcess(dataDir: string, extraScript = '') {
  const module = JSON.stringify(new URL('./data-folder-lock.ts', import.meta.url).href)
  const script = `
    import { lockDataFolder } from ${module}
    lockDataFolder(${JSON.stringify(dataDir)})
    ${extraScript}
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

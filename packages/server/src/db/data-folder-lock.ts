import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DataFolderInUse, StartupError } from '../lib/startup-error.ts'

/**
 * One process to a data folder. The lock is SQLite's own lock on an empty `lock.db`, held by a transaction that is
 * never committed: the operating system takes it back when the process ends, kill -9 included, so there is nothing to
 * clean up by hand. `lock.pid` beside it only serves the message; nothing may open `lock.db` by other means, because
 * closing any descriptor of a file gives up all POSIX locks of the process on it.
 */
export interface DataFolderLock extends Disposable {
  readonly dataDir: string
}

// A database that nobody refers to is closed by the garbage collector, and its lock with it.
const heldDatabases = new Set<DatabaseSync>()

/** Creates the folder when absent. Throws a `StartupError` when it cannot be written to or is in use. */
export function lockDataFolder(dataDir: string): DataFolderLock {
  createFolder(dataDir)
  proveWritable(dataDir)
  const database = takeLock(dataDir)
  heldDatabases.add(database)
  const pidFile = join(dataDir, 'lock.pid')
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    dataDir,
    [Symbol.dispose]() {
      if (!heldDatabases.delete(database)) return
      rmSync(pidFile, { force: true })
      database.close()
    },
  }
}

function createFolder(dataDir: string): void {
  try {
    createWithParents(dataDir)
  } catch (error) {
    throw new StartupError(`The data folder ${dataDir} cannot be created: ${reasonOf(error)}.`, { cause: error })
  }
}

// Not `recursive`: where a file system takes no folders (/proc), Node's own loop over the parents never ends.
function createWithParents(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return
  if (dirname(path) !== path) createWithParents(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

// Permissions say nothing to root and nothing about a read-only disk: only a write tells.
function proveWritable(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`)
  try {
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    writeFileSync(probe, 'Framegate may write here.\n')
  } catch (error) {
    throw new StartupError(`The data folder ${dataDir} cannot be written to: ${reasonOf(error)}.`, { cause: error })
  } finally {
    rmSync(probe, { force: true })
  }
}

function takeLock(dataDir: string): DatabaseSync {
  const file = join(dataDir, 'lock.db')
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    const sqliteCode = (error as { errcode?: number }).errcode
    if (sqliteCode !== undefined && (sqliteCode & 0xff) === sqliteBusy) throw inUse(dataDir, error)
    throw new StartupError(`The data folder ${dataDir} cannot be locked: ${file}: ${(error as Error).message}.`, { cause: error })
  }
}

const sqliteBusy = 5

function inUse(dataDir: string, cause: unknown): DataFolderInUse {
  const pid = readPid(dataDir)
  const who = pid === null ? '' : ` (process ${pid})`
  return new DataFolderInUse(
    `The data folder ${dataDir} is in use by another Framegate${who}: stop it, or choose another folder with FRAMEGATE_DATA_DIR or --data-dir.`,
    { cause },
  )
}

function readPid(dataDir: string): string | null {
  try {
    return /^\d+$/m.exec(readFileSync(join(dataDir, 'lock.pid'), 'utf8'))?.[0] ?? null
  } catch {
    return null
  }
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'it does not exist',
}

function reasonOf(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return `there is a file at ${path}`
  return (code === undefined ? undefined : reasons[code]) ?? code ?? message
}

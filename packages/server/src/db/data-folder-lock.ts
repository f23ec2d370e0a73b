import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Logger } from '../lib/logger.ts'
import { createWithParents } from '../lib/create-with-parents.ts'
import { isDiskFull } from '../lib/is-disk-full.ts'
import { DataFolderInUse, DataFolderLost, StartupError } from '../lib/startup-error.ts'
import { repeatAligned } from '../lib/repeat-aligned.ts'

/**
 * Restricts a data folder to one process. An open SQLite transaction on an empty database,
 * `lock.db`, holds the lock. The operating system releases the lock when the process ends, even
 * after kill -9, so an operator never has to clean up. The file `lock.pid` only serves the error
 * message about a folder in use. No other code in this process may open `lock.db`, because closing
 * any descriptor of a file releases all POSIX locks of the process on that file.
 *
 * A lock on a file that was deleted, or moved away together with its folder, does not exclude other
 * processes. Therefore `watch` checks once a second that `lock.db` and the given files are still
 * the same files. If only `lock.db` is missing or replaced, `watch` locks it again. If another file
 * is missing or replaced, the service must stop. Until it stops, the writer of the database checks
 * in each transaction that this process still owns the database (`DatabaseOwner`).
 */
export interface DataFolderLock extends Disposable {
  readonly dataDir: string
  /**
   * Checks the folder periodically until the lock is disposed of. `onLost` is called once, when the
   * folder is lost.
   */
  watch(options: FolderWatchOptions): void
}

export interface FolderWatchOptions {
  /** Names of the files in the folder that must not be replaced. */
  files: readonly string[]
  onLost: (cause: DataFolderLost) => void
  logger: Pick<Logger, 'warn'>
}

const watchIntervalMs = 1_000
/**
 * Number of consecutive failures to lock a new `lock.db` after which another service is assumed to
 * hold the lock. A single failure proves nothing, because `framegate doctor` locks the file
 * briefly.
 */
const failedTriesMax = 5

// References to the locked databases. Without a reference, the garbage collector would close a
// database and so release its lock.
const openLocks = new Set<DatabaseSync>()

/**
 * Takes the lock, and creates the folder if it is missing. Throws a `StartupError` if the path is
 * too long, or if the folder cannot be created, written or locked, and a `DataFolderInUse` if
 * another process has locked it.
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  requireShortPath(dataDir)
  createFolder(dataDir)
  requireWritable(dataDir)
  const pidFile = join(dataDir, 'lock.pid')
  let database = acquireLock()
  try {
    writePid()
  } catch (error) {
    openLocks.delete(database)
    database.close()
    throw notWritable(dataDir, error)
  }
  let watchTimer: Disposable | undefined
  let lockIdentity = identityOf(join(dataDir, lockFile))
  let failedTries = 0

  function acquireLock(): DatabaseSync {
    const lock = openLock(dataDir)
    openLocks.add(lock)
    return lock
  }

  function writePid(): void {
    writeFileSync(pidFile, `${process.pid}\n`)
  }

  /** Locks a replaced `lock.db` again. Throws `DataFolderLost` after `failedTriesMax` failures. */
  function retainLock(logger: Pick<Logger, 'warn'>): void {
    if (identityOf(join(dataDir, lockFile)) === lockIdentity) return
    const lostDatabase = database
    try {
      database = acquireLock()
    } catch (cause) {
      failedTries += 1
      if (failedTries < failedTriesMax) return
      throw new DataFolderLost(`${lockFile} in the data folder ${dataDir} was removed, and the lock cannot be taken again`, {
        cause,
      })
    }
    openLocks.delete(lostDatabase)
    lostDatabase.close()
    failedTries = 0
    lockIdentity = identityOf(join(dataDir, lockFile))
    logger.warn(`${lockFile} was removed or replaced in the data folder of a running service; the service has locked it again`)
    try {
      writePid()
    } catch (error) {
      logger.warn({ err: error }, 'lock.pid cannot be written; the service needs it only for an error message')
    }
  }

  return {
    dataDir,
    watch({ files, onLost, logger }) {
      const identities = files.map((name) => [name, identityOf(join(dataDir, name))] as const)
      watchTimer = repeatAligned(() => {
        try {
          for (const [name, identity] of identities) requireSameFile(dataDir, name, identity)
          retainLock(logger)
        } catch (error) {
          // Any other error, such as a temporary read error of the disk, does not mean that the
          // folder is lost.
          if (!(error instanceof DataFolderLost)) return
          watchTimer?.[Symbol.dispose]()
          onLost(error)
        }
      }, watchIntervalMs)
    },
    [Symbol.dispose]() {
      watchTimer?.[Symbol.dispose]()
      if (!openLocks.delete(database)) return
      // Another service may have locked the folder in the meantime. Its pid must not be removed.
      if (readPid(dataDir) === String(process.pid)) rmSync(pidFile, { force: true })
      database.close()
    },
  }
}

/**
 * Maximum length of the data folder's path, in bytes. SQLite cannot open a file whose path is
 * longer than 512 bytes.
 */
const pathBytesMax = 480

function requireShortPath(dataDir: string): void {
  const bytes = Buffer.byteLength(dataDir)
  if (bytes <= pathBytesMax) return
  throw new StartupError(
    `The path of the data folder has ${bytes} bytes, and the limit is ${pathBytesMax}: choose a shorter path with FRAMEGATE_DATA_DIR or --data-dir (${dataDir.slice(0, 60)}…).`,
  )
}

const lockFile = 'lock.db'

/** Device number and inode number of the file. Null: the file does not exist. */
function identityOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}

function requireSameFile(dataDir: string, name: string, identity: string | null): void {
  const currentIdentity = identityOf(join(dataDir, name))
  if (currentIdentity === identity) return
  const change = currentIdentity === null ? 'moved or removed' : 'replaced'
  throw new DataFolderLost(`${name} in the data folder ${dataDir} was ${change} while the service was running`)
}

function createFolder(dataDir: string): void {
  try {
    createWithParents(dataDir)
  } catch (error) {
    throw new StartupError(`The data folder ${dataDir} cannot be created: ${reasonOf(error)}. ${remedyText(error)}`, {
      cause: error,
    })
  }
}

// Writes a file, because permission bits do not restrict root and do not show that a disk is
// read-only.
function requireWritable(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`)
  try {
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    try {
      writeFileSync(probe, 'Framegate may write here.\n')
    } catch (error) {
      // On a full disk, the empty file may exist. If the removal fails too, it has the same cause.
      rmSync(probe, { force: true })
      throw error
    }
    rmSync(probe, { force: true })
  } catch (error) {
    throw notWritable(dataDir, error)
  }
}

function notWritable(dataDir: string, cause: unknown): StartupError {
  return new StartupError(`The data folder ${dataDir} is not writable: ${reasonOf(cause)}. ${remedyText(cause)}`, { cause })
}

function openLock(dataDir: string): DatabaseSync {
  const file = join(dataDir, lockFile)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    const sqliteCode = (error as { errcode?: number }).errcode
    if (sqliteCode !== undefined && (sqliteCode & 0xff) === sqliteBusy) throw dataFolderInUse(dataDir, error)
    throw new StartupError(
      `The data folder ${dataDir} cannot be locked: ${file}: ${(error as Error).message}. ${remedyText(error)}`,
      {
        cause: error,
      },
    )
  }
}

const sqliteBusy = 5

function remedyText(error: unknown): string {
  if (isDiskFull(error)) return 'Free space there, or choose another folder with --data-dir or FRAMEGATE_DATA_DIR.'
  return (
    `The service runs as the user ${userName()}. Give this user write permission for the folder and its files, or choose ` +
    'another folder with --data-dir or FRAMEGATE_DATA_DIR.'
  )
}

/** Name of the user, or its id: containers often run under a user id without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

function dataFolderInUse(dataDir: string, cause: unknown): DataFolderInUse {
  const pid = readPid(dataDir)
  const processHint = pid === null ? '' : ` (process ${pid})`
  return new DataFolderInUse(
    `The data folder ${dataDir} is in use by another Framegate${processHint}. Stop it, or choose another folder with ` +
      'FRAMEGATE_DATA_DIR or --data-dir.',
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

const reasonByCode: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  ENOTDIR: 'a part of the path is a file',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'it does not exist',
}

function reasonOf(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return `there is a file at ${path}`
  return (code === undefined ? undefined : reasonByCode[code]) ?? code ?? message
}

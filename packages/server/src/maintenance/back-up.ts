import { constants, existsSync, realpathSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { fileNameOf } from '../assets/asset-file-name.ts'
import { pieceKey, piecesOf } from '../assets/uploads/upload-pieces.ts'
import type { Config } from '../config/config.ts'
import { backupMark } from '../db/held-tasks.ts'
import { openReadOnly } from '../db/open-reader.ts'
import { createPrivate } from '../db/sqlite/open-database.ts'
import { findDatabase, partialDatabaseName } from '../db/sqlite/require-database.ts'
import {
  damagedDatabase,
  isDamagedDatabase,
  isDatabaseFull,
  isReadFailure,
  withDatabaseName,
} from '../db/sqlite/unusable-database.ts'
import { createWithParents } from '../lib/create-with-parents.ts'
import { errorCodeOf } from '../lib/error-code.ts'
import { isDiskFull } from '../lib/is-disk-full.ts'
import { StartupError } from '../lib/startup-error.ts'
import { syncFile, syncFolder } from '../lib/sync-folder.ts'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'
import { previewFilesOf } from './preview-files.ts'
import { findPath, spreadPathOf } from '../media/stored-path.ts'

export interface BackUp {
  databaseBytes: number
  /**
   * Number of copied files: results, previews, assets and pieces of unfinished uploads. It is 0 if
   * the files are in S3.
   */
  files: number
  fileBytes: number
}

/**
 * Number of pages that SQLite copies in one step. It exceeds the size of any database, because with
 * several steps, each write of a running service would restart the copy.
 */
const pagesMax = 2 ** 31 - 1

/**
 * Copies an installation into an empty folder, which is then a data folder itself. The service may
 * be running. A consistent snapshot of the database is copied before the files that it names. These
 * files never change. A file that retention removes in between is missing in the copy, where it
 * would soon expire anyway. The database gets its final name last, when all data is on disk. A
 * failed or aborted copy is removed. Throws a `StartupError` for problems that an operator can fix.
 */
export async function backUp(
  config: Pick<Config, 'dataDir' | 'media' | 'database'>,
  target: string,
  signal: AbortSignal,
): Promise<BackUp> {
  const { dataDir, database } = config
  if (database.kind !== 'sqlite') {
    throw new StartupError('The database is PostgreSQL, which has its own tools for backups; docs/backup.md describes them.')
  }
  const sourcePath = findDatabase(dataDir)
  requireOutside(target, dataDir)
  const isNew = createWithParents(target)
  await requireEmpty(target)
  try {
    return await copyInto(target, { ...config, sourcePath }, signal)
  } catch (error) {
    for (const name of await readdir(target)) await rm(path.join(target, name), { recursive: true, force: true })
    if (isNew) await rm(target, { recursive: true, force: true })
    if (isDamagedDatabase(error)) throw withDatabaseName(sourcePath, error)
    throw isDiskFull(error) || isDatabaseFull(error)
      ? new StartupError(`The disk of ${target} is full; the incomplete copy was removed.`, { cause: error })
      : withDatabaseName(path.join(target, partialDatabaseName), error)
  }
}

async function copyInto(
  target: string,
  { dataDir, media, sourcePath }: Pick<Config, 'dataDir' | 'media'> & { sourcePath: string },
  signal: AbortSignal,
): Promise<BackUp> {
  const partialPath = path.join(target, partialDatabaseName)
  // Results that an upstream provides only once, and that are not collected yet, are copied twice:
  // before the database, because the service may collect and remove them in the meantime, and after
  // it, because new ones may have arrived.
  const keptFolders = [path.join(dataDir, 'kept'), path.join(target, 'kept')] as const
  await copyKeptFolder(...keptFolders, signal)
  using source = openReadOnly(sourcePath)
  createPrivate(partialPath)
  await backup(source, partialPath, { rate: pagesMax }).catch((error: unknown) => {
    // Only the source is read.
    throw isReadFailure(error) ? withDatabaseName(sourcePath, error) : error
  })
  await copyIfPresent(path.join(dataDir, 'seal.key'), path.join(target, 'seal.key'))
  await copyKeptFolder(...keptFolders, signal)

  const report: BackUp = { databaseBytes: (await stat(partialPath)).size, files: 0, fileBytes: 0 }
  {
    // Opened for writing, because SQLite leaves auxiliary files next to a database that is opened
    // read-only.
    using copiedDatabase = new DatabaseSync(partialPath)
    requireIntact({ database: copiedDatabase, path: partialPath }, { database: source, path: sourcePath })
    // Tasks may continue in the original installation. A service on the copy therefore starts with
    // its tasks on hold.
    copiedDatabase.prepare('insert or replace into settings values (?, ?)').run(backupMark, String(Date.now()))
    for (const name of media.kind === 's3' ? [] : fileNamesIn(copiedDatabase)) {
      signal.throwIfAborted()
      const targetPath = spreadPathOf(path.join(target, 'media'), name)
      await mkdir(path.dirname(targetPath), { recursive: true })
      if (!(await copyIfPresent(findPath(path.join(dataDir, 'media'), name), targetPath))) continue
      report.files += 1
      report.fileBytes += (await stat(targetPath)).size
    }
  }
  await syncFile(partialPath)
  await syncFolders(target)
  await rename(partialPath, path.join(target, 'framegate.db'))
  await syncFolder(target)
  await syncFolder(path.dirname(target))
  return report
}

/**
 * Throws if the target is inside the data folder. There, the copy would be lost together with the
 * folder, and would become part of the next copy.
 */
function requireOutside(target: string, dataDir: string): void {
  let ancestor = target
  while (!existsSync(ancestor)) ancestor = path.dirname(ancestor)
  const relative = path.relative(realpathSync(dataDir), path.join(realpathSync(ancestor), path.relative(ancestor, target)))
  if (relative.startsWith('..') || path.isAbsolute(relative)) return
  throw new StartupError(`${target} is inside the data folder ${dataDir}; choose another folder for the copy.`)
}

async function requireEmpty(target: string): Promise<void> {
  const names = await readdir(target)
  if (names.includes(partialDatabaseName))
    throw new StartupError(`${target} contains an incomplete copy; remove it, or choose a new folder.`)
  if (names.length > 0) throw new StartupError(`${target} is not empty; choose a new folder for the copy.`)
}

/** Copies the local copies of results that the service has not collected yet. */
async function copyKeptFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  // The service may remove a folder in the meantime.
  for (const entry of (await undefinedIfMissing(readdir(from, { withFileTypes: true }))) ?? []) {
    signal.throwIfAborted()
    const [source, copy] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyKeptFolder(source, copy, signal)
    if (!entry.isFile() || entry.name.endsWith('.partial')) continue
    await mkdir(to, { recursive: true })
    await copyIfPresent(source, copy)
  }
}

interface OpenDatabase {
  database: DatabaseSync
  path: string
}

/**
 * Throws a `StartupError` if the copy is damaged. The error names the source if the source is
 * damaged too, because SQLite copies damaged pages without an error.
 */
function requireIntact(copy: OpenDatabase, source: OpenDatabase): void {
  const damage = findDamage(copy.database)
  if (damage === null) return
  const sourceDamage = findDamage(source.database)
  throw sourceDamage === null ? damagedDatabase(copy.path, damage) : damagedDatabase(source.path, sourceDamage)
}

/** Returns the first problem of the pages of the database, or null if there is none. */
function findDamage(database: DatabaseSync): string | null {
  const result = String(database.prepare('pragma quick_check(1)').get()?.['quick_check'])
  // The last line has the problem, and those before it the name of the database.
  return result === 'ok' ? null : (result.split('\n').at(-1) ?? result)
}

/**
 * Yields the names of all stored files: results, previews, assets, and pieces of unfinished
 * uploads.
 */
function* fileNamesIn(database: DatabaseSync): Generator<string> {
  const results = database.prepare('select * from results where removed_at is null')
  for (const row of results.iterate()) yield* [String(row['object_key']), ...previewFilesOf(row).map(({ name }) => name)]
  const assets = database.prepare('select id, content_type from assets where stored_at is not null and removed_at is null')
  for (const row of assets.iterate()) yield fileNameOf({ id: String(row['id']), content_type: String(row['content_type']) })
  // Databases of earlier versions have no table of uploads.
  if (database.prepare("select 1 from sqlite_master where name = 'uploads'").get() === undefined) return
  const uploads = database.prepare('select id, pieces from uploads where removed_at is null')
  for (const { id, pieces } of uploads.iterate()) {
    for (const { number } of piecesOf({ pieces: String(pieces) })) yield pieceKey(String(id), number)
  }
}

/**
 * Copies a file, as a copy-on-write clone if the file system supports that. Returns false if there
 * is no such file. Throws if it is no regular file, because a FIFO, for example, would never end.
 */
async function copyIfPresent(from: string, to: string): Promise<boolean> {
  try {
    if (!(await stat(from)).isFile()) {
      throw new StartupError(`${from} is not a regular file; remove it, and start the backup again.`)
    }
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await syncFile(to)
    return true
  } catch (cause) {
    if (errorCodeOf(cause) === 'ENOENT') return false
    throw cause
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(path.join(entry.parentPath, entry.name))
  await syncFolder(folder)
}

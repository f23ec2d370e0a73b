import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { fileNameOf } from './assets/asset-file-name.ts'
import type { Config } from './config/config.ts'
import { StartupError } from './lib/startup-error.ts'
import { filePathOf } from './media/disk-media-store.ts'

export interface BackUp {
  databaseBytes: number
  /** Of results and assets, unless they are in S3. */
  files: number
  fileBytes: number
}

/** Larger than any database: everything in one step, so that a busy service does not make it begin again and again. */
const pagesMax = 2 ** 31 - 1

/**
 * Copies an installation into an empty folder, which is a data folder then. The service may run meanwhile: the database is copied as it is
 * at one moment, and after it the files that it names, which never change once they are there. What retention has removed since is
 * missing from the copy, as it soon would be. Throws a `StartupError` for what a person can put right.
 */
export async function backUp(config: Pick<Config, 'dataDir' | 'media' | 'database'>, target: string): Promise<BackUp> {
  const { dataDir, media, database } = config
  if (database.kind !== 'sqlite') {
    throw new StartupError('The database is PostgreSQL, which has tools of its own for this: docs/backup.md names them.')
  }
  const databaseFile = path.join(dataDir, 'framegate.db')
  if (!existsSync(databaseFile))
    throw new StartupError(`There is no database in ${dataDir}; name the data folder with --data-dir.`)
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0) throw new StartupError(`${target} is not empty; name a new folder for the copy.`)

  const copiedFile = path.join(target, 'framegate.db')
  using source = new DatabaseSync(databaseFile, { readOnly: true })
  await backup(source, copiedFile, { rate: pagesMax })
  await copyIfThere(path.join(dataDir, 'seal.key'), path.join(target, 'seal.key'))

  using copied = new DatabaseSync(copiedFile)
  requireSound(copied)
  const done: BackUp = { databaseBytes: (await stat(copiedFile)).size, files: 0, fileBytes: 0 }
  if (media.kind === 's3') return done
  for (const name of fileNamesIn(copied)) {
    const to = filePathOf(path.join(target, 'media'), name)
    await mkdir(path.dirname(to), { recursive: true })
    if (!(await copyIfThere(filePathOf(path.join(dataDir, 'media'), name), to))) continue
    done.files += 1
    done.fileBytes += (await stat(to)).size
  }
  return done
}

function requireSound(database: DatabaseSync): void {
  const found = database.prepare('pragma quick_check').get()?.['quick_check']
  if (found !== 'ok') throw new Error(`the copy of the database is damaged: ${String(found)}`)
}

/** Results that are kept, and uploads whose files are there. */
function* fileNamesIn(database: DatabaseSync): Generator<string> {
  for (const { id } of database.prepare('select id from assets where removed_at is null').iterate()) yield String(id)
  const uploads = database.prepare('select id, content_type from uploads where stored_at is not null and removed_at is null')
  for (const row of uploads.iterate()) yield fileNameOf({ id: String(row['id']), content_type: String(row['content_type']) })
}

/** By reference where the file system can. False when there is no such file. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false
    throw cause
  }
}

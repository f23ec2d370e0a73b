import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Logger } from '../../lib/logger.ts'
import { backupMark } from '../held-tasks.ts'

/**
 * Removes the write-ahead log that an earlier database left in the folder, if a copy by `framegate
 * backup` has replaced the database file. SQLite would otherwise apply that log to the copy. The
 * log is foreign if the database file, read without the log, still has the mark of a copy, and is
 * newer than the last write to the log. The first service on a copy removes the mark from the file
 * before it serves requests (`holdRestored`). Version 0.1.0 removed the mark only in the log, so
 * the mark alone does not suffice. The caller must hold the lock of the data folder.
 */
export function removeForeignLog(dataDir: string, logger?: Pick<Logger, 'warn'>): void {
  const file = path.join(dataDir, 'framegate.db')
  const log = `${file}-wal`
  const [fileStats, logStats] = [file, log].map((name) => statSync(name, { throwIfNoEntry: false }))
  if (fileStats === undefined || logStats === undefined || logStats.size === 0) return
  if (logStats.mtimeMs >= fileStats.ctimeMs || !isMarkedFile(file)) return
  for (const name of [log, `${file}-shm`]) rmSync(name, { force: true })
  logger?.warn(
    { logBytes: logStats.size },
    'the data folder contained the write-ahead log of the database that a backup replaced; it was removed',
  )
}

/** Whether the database file has the mark. The log is not read. */
function isMarkedFile(file: string): boolean {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  try {
    using database = new DatabaseSync(url, { readOnly: true })
    return database.prepare('select 1 from settings where name = ?').get(backupMark) !== undefined
  } catch {
    // Without its log, the file of a killed service may be incomplete.
    return false
  }
}

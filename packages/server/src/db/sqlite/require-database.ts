import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../lib/startup-error.ts'

/**
 * Name of the database in a backup until the copy is complete and on disk: a folder without
 * `framegate.db` is no data folder.
 */
export const partialDatabaseName = 'framegate.db.partial'

/**
 * A folder without a database starts a new installation, unless it holds something that is only
 * created after the database. In that case the database was lost, and an empty service must not
 * take its place.
 */
export function requireDatabase(dataDir: string): void {
  if (existsSync(path.join(dataDir, 'framegate.db'))) return
  if (existsSync(path.join(dataDir, partialDatabaseName)))
    throw new StartupError(`The data folder ${dataDir} is an incomplete backup. Use another backup, or name an empty folder.`)
  const left = ['framegate.db-wal', 'seal.key', 'media', 'kept'].filter((name) => isFilled(path.join(dataDir, name)))
  if (left.length === 0) return
  const there = left.map((name) => `"${name}"`).join(', ')
  throw new StartupError(
    `The database framegate.db is missing in the data folder ${dataDir}, which contains ${there}. Restore the database, or ` +
      'name an empty folder to start from scratch.',
  )
}

/**
 * Whether there is a file of this name, or a folder that contains more than the folder for files in
 * transit.
 */
function isFilled(name: string): boolean {
  try {
    return readdirSync(name).some((entry) => entry !== 'incoming')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

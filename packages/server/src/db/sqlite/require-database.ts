import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../lib/startup-error.ts'

/**
 * Name of the database in a backup until the copy is complete and on disk. A folder without
 * `framegate.db` is no data folder.
 */
export const partialDatabaseName = 'framegate.db.partial'

/**
 * Throws if the database of an existing installation is missing. A folder without a database may
 * start a new installation, unless it contains something that only exists after the database was
 * created. In that case the database was lost, and a service with an empty database must not start
 * in its place.
 */
export function requireDatabase(dataDir: string): void {
  if (existsSync(path.join(dataDir, 'framegate.db'))) return
  if (existsSync(path.join(dataDir, partialDatabaseName)))
    throw new StartupError(`The data folder ${dataDir} is an incomplete backup. Use another backup, or name an empty folder.`)
  const leftovers = ['framegate.db-wal', 'seal.key', 'media', 'kept'].filter((name) => isNonEmpty(path.join(dataDir, name)))
  if (leftovers.length === 0) return
  const names = leftovers.map((name) => `"${name}"`).join(', ')
  throw new StartupError(
    `The database framegate.db is missing in the data folder ${dataDir}, which contains ${names}. Restore the database, or ` +
      'name an empty folder to start from scratch.',
  )
}

/**
 * Whether a file with this name exists, or a folder that contains more than the folder of files in
 * transit.
 */
function isNonEmpty(name: string): boolean {
  try {
    return readdirSync(name).some((entry) => entry !== 'incoming')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

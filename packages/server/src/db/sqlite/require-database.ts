import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../lib/startup-error.ts'

/**
 * Name of the database in a backup until the copy is complete and on disk. The service does not
 * start in a folder with such a file.
 */
export const partialDatabaseName = 'framegate.db.partial'

/** Returns the path of the folder's database. Throws if there is none, or no access to the folder. */
export function findDatabase(dataDir: string): string {
  if (!hasDatabase(dataDir)) throw new StartupError(`There is no database in ${dataDir}; name the data folder with --data-dir.`)
  return path.join(dataDir, 'framegate.db')
}

/** Whether the folder has a database. Throws if the user has no access to the folder. */
export function hasDatabase(dataDir: string): boolean {
  return statSync(path.join(dataDir, 'framegate.db'), { throwIfNoEntry: false }) !== undefined
}

/**
 * Throws if the folder has no database, but has files of an existing installation or of an
 * incomplete backup, because the service must not start there with an empty database. A new
 * installation may start in any other folder without a database.
 */
export function requireDatabase(dataDir: string): void {
  if (hasDatabase(dataDir)) return
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
 * Whether there is a file at this path, or a folder that contains more than the folder for scratch
 * files.
 */
function isNonEmpty(fileOrFolder: string): boolean {
  try {
    return readdirSync(fileOrFolder).some((entry) => entry !== 'incoming')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

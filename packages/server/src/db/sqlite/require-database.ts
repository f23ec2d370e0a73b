import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../lib/startup-error.ts'

/** What a backup calls the database until everything is there and on disk: a folder without `framegate.db` is no data folder. */
export const partialDatabaseName = 'framegate.db.partial'

/**
 * A folder without a database begins a new installation, unless something is there that only comes after the database: then
 * it was lost, and nobody should find an empty service in its place.
 */
export function requireDatabase(dataDir: string): void {
  if (existsSync(path.join(dataDir, 'framegate.db'))) return
  if (existsSync(path.join(dataDir, partialDatabaseName)))
    throw new StartupError(
      `The data folder ${dataDir} is a backup that was cut short: take another one, or name an empty folder.`,
    )
  const left = ['framegate.db-wal', 'seal.key', 'media', 'kept'].filter((name) => isFilled(path.join(dataDir, name)))
  if (left.length === 0) return
  const there = left.map((name) => `"${name}"`).join(', ')
  throw new StartupError(
    `The database framegate.db is missing in the data folder ${dataDir}, although there is ${there}: put it back, or name an empty folder to begin anew.`,
  )
}

/** Whether there is a file, or a folder with more in it than the one for files on their way. */
function isFilled(name: string): boolean {
  try {
    return readdirSync(name).some((entry) => entry !== 'incoming')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}

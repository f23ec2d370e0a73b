import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Config } from '../config/config.ts'
import { StartupError } from '../lib/startup-error.ts'
import { findDatabase } from './sqlite/require-database.ts'
import { withDatabaseName } from './sqlite/unusable-database.ts'

export type Row = Record<string, unknown>

const busyTimeoutMs = 5_000

/**
 * Reads the database that the settings name, even while a service uses it. The parameters of a
 * statement are $1 to $9.
 */
export interface Reader extends AsyncDisposable {
  rows(sql: string, values?: readonly (string | number)[]): Promise<Row[]>
}

export async function openReader({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Promise<Reader> {
  if (database.kind === 'postgres') {
    const { openDatabase } = await import('./postgres/open-database.ts')
    const connections = await openDatabase({ url: database.url.reveal(), poolMax: 1 }, async () => {})
    return {
      async rows(text, values = []) {
        try {
          return await connections.read({ text, values: [...values] })
        } catch (error) {
          throw isOfOtherVersion(error) ? otherVersionError(connections.displayUrl, error) : error
        }
      },
      [Symbol.asyncDispose]: () => connections.end(),
    }
  }
  const file = findDatabase(dataDir)
  const connection = openReadOnly(file)
  return {
    async rows(sql, values = []) {
      try {
        return connection.prepare(sql.replaceAll(/\$(\d)/g, '?$1')).all(...(values as SQLInputValue[]))
      } catch (error) {
        throw withDatabaseName(file, error)
      }
    },
    [Symbol.asyncDispose]: async () => connection.close(),
  }
}

/**
 * Opens a database for reading. Throws a `StartupError` that names the file if it cannot be read.
 */
export function openReadOnly(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
    // SQLite opens the files beside the database only at the first read.
    database.exec('pragma schema_version')
    return database
  } catch (error) {
    database?.close()
    throw withDatabaseName(file, error)
  }
}

/** Whether a table or column that this version reads is missing in a PostgreSQL database. */
function isOfOtherVersion(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === '42P01' || error.code === '42703')
}

function otherVersionError(displayUrl: string, cause: Error): StartupError {
  return new StartupError(
    `The database ${displayUrl} was written by another version of Framegate (${cause.message}). Run framegate migrate, and try again.`,
    { cause },
  )
}

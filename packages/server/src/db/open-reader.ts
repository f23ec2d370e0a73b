import { existsSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Config } from '../config/config.ts'
import { StartupError } from '../lib/startup-error.ts'
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
      rows: (text, values = []) => connections.read({ text, values: [...values] }),
      [Symbol.asyncDispose]: () => connections.end(),
    }
  }
  const file = path.join(dataDir, 'framegate.db')
  if (!existsSync(file)) throw new StartupError(`There is no database in ${dataDir}; name the data folder with --data-dir.`)
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

function openReadOnly(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  } catch (error) {
    throw withDatabaseName(file, error)
  }
}

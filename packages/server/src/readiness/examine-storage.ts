import { existsSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../config/config.ts'
import { removeForeignLog } from '../db/sqlite/remove-foreign-log.ts'
import { requireDatabase } from '../db/sqlite/require-database.ts'
import { isDamagedDatabase, withDatabaseName } from '../db/sqlite/unusable-database.ts'
import { StartupError } from '../lib/startup-error.ts'
import { tryWrite } from '../lib/try-write.ts'

const busyTimeoutMs = 5_000

/**
 * Writes and removes a file in the data folder and in each of the service's folders that exists in
 * it. Throws a `StartupError` that names the folder.
 */
export async function tryFolders({ dataDir, media }: Pick<Config, 'dataDir' | 'media'>): Promise<void> {
  const names = ['', 'scratch', 'kept', ...(media.kind === 'disk' ? ['media', path.join('media', 'incoming')] : [])]
  for (const folder of names.map((name) => path.join(dataDir, name))) {
    if (!existsSync(folder)) continue
    try {
      await tryWrite(folder)
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException
      throw new StartupError(`The folder ${folder} is not writable (${code ?? message}).`, { cause })
    }
  }
}

/**
 * Writes a small row to the configured database. An SQLite database must not be in use by a service
 * at the same time. Returns the name of the database, or null if it does not exist or has no tables
 * yet. Throws a `StartupError` if the write fails.
 */
export async function tryDatabase({ dataDir, database }: Pick<Config, 'dataDir' | 'database'>): Promise<string | null> {
  if (database.kind === 'postgres') {
    const { openDatabase } = await import('../db/postgres/open-database.ts')
    let name = ''
    const connections = await openDatabase({ url: database.url.reveal(), poolMax: 1 }, async (client, { displayUrl }) => {
      const { rows } = await client.query<{ hasTables: boolean }>(`select to_regclass('settings') is not null as "hasTables"`)
      if (rows[0]?.hasTables !== true) return
      await client.query(
        `insert into settings (name, value) values ('write_checked_at', '')
         on conflict (name) do update set value = excluded.value`,
      )
      name = displayUrl
    })
    await connections.end()
    return name === '' ? null : name
  }
  requireDatabase(dataDir)
  const file = path.join(dataDir, 'framegate.db')
  if (!existsSync(file)) return null
  removeForeignLog(dataDir)
  try {
    using connection = new DatabaseSync(file, { timeout: busyTimeoutMs })
    if (connection.prepare("select 1 from sqlite_schema where name = 'settings'").get() === undefined) return null
    connection.exec("insert or replace into settings values ('write_checked_at', '')")
    return file
  } catch (cause) {
    throw isDamagedDatabase(cause)
      ? withDatabaseName(file, cause)
      : new StartupError(`The database ${file} is not writable: ${(cause as Error).message}.`, { cause })
  }
}

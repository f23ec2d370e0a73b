import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../config/config.ts'
import { lockDataFolder } from '../db/data-folder-lock.ts'
import type { RowCounts } from '../db/export-lines.ts'
import { exportRows } from '../db/sqlite/export-rows.ts'
import { openReadingConnection } from '../db/sqlite/open-database.ts'
import { removeForeignLog } from '../db/sqlite/remove-foreign-log.ts'
import { hasDatabase } from '../db/sqlite/require-database.ts'
import { withDatabaseName } from '../db/sqlite/unusable-database.ts'
import { StartupError } from '../lib/startup-error.ts'

/**
 * Exports the installation in the data folder, line by line. Throws if a service uses this folder.
 * Returns the number of rows in each table.
 */
export async function exportInstallation(
  { dataDir }: Pick<Config, 'dataDir'>,
  writeLine: (line: string) => Promise<void>,
): Promise<RowCounts> {
  const file = path.join(dataDir, 'framegate.db')
  if (!hasDatabase(dataDir))
    throw new StartupError(`There is no database in the data folder ${dataDir}, so there is nothing to export.`)
  using _lock = lockDataFolder(dataDir)
  let reader: DatabaseSync | undefined
  try {
    removeForeignLog(dataDir)
    reader = openReadingConnection(file)
    let rows: RowCounts = {}
    for (const line of exportRows(reader, Date.now())) {
      await writeLine(escapeLineEnds(JSON.stringify(line)))
      if ('end' in line) rows = line.rows
    }
    return rows
  } catch (error) {
    throw withDatabaseName(file, error)
  } finally {
    reader?.close()
  }
}

/**
 * Writes an export into the configured PostgreSQL database, which must be empty. The message of an
 * error names the export (`exportName`) and the line.
 */
export async function importInstallation(
  { database }: Pick<Config, 'database'>,
  lines: AsyncIterable<string>,
  exportName: string,
): Promise<RowCounts> {
  if (database.kind === 'sqlite')
    throw new StartupError('DATABASE_URL is not set; set it to the address of the PostgreSQL database to import into.')
  const [{ importRows }, { migrate }, { openDatabase }] = await Promise.all([
    import('../db/postgres/import-rows.ts'),
    import('../db/postgres/migrate.ts'),
    import('../db/postgres/open-database.ts'),
  ])
  let rows: RowCounts = {}
  const connections = await openDatabase({ url: database.url.reveal(), poolMax: 1 }, async (client) => {
    await migrate(client)
    rows = await importRows(client, lines, exportName)
  })
  await connections.end()
  return rows
}

/** Escapes characters that JSON allows unescaped but that line readers may treat as line ends. */
function escapeLineEnds(json: string): string {
  return json.replaceAll('\u0085', '\\u0085').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

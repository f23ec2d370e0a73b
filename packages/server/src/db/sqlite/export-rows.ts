import type { DatabaseSync } from 'node:sqlite'
import { exportedTables, exportVersion, type ExportLine, type Row, type RowCounts } from '../export-lines.ts'
import { ownerSetting } from './database-owner.ts'

/**
 * Settings that are not exported: the progress of an index that only SQLite has, and the owner of
 * the database.
 */
const unexportedSettings = new Set<unknown>(['tasks_listed_until', ownerSetting])

/**
 * Yields the lines of an export. The caller has locked the data folder, so the database does not
 * change during the export.
 */
export function* exportRows(reader: DatabaseSync, nowMs: number): Generator<ExportLine> {
  yield { framegate_export: exportVersion, made_at: nowMs }
  const rows: RowCounts = {}
  for (const [table, orderBy, omittedColumns] of exportedTables) {
    rows[table] = 0
    const statement = reader.prepare(`select * from ${table} order by ${orderBy}`)
    statement.setReadBigInts(true)
    for (const row of statement.iterate()) {
      if (table === 'settings' && unexportedSettings.has(row['name'])) continue
      for (const column of omittedColumns) delete row[column]
      rows[table] += 1
      yield [table, withPlainNumbers(row)]
    }
  }
  yield { end: true, rows }
}

/**
 * Converts integers to JavaScript numbers, and integers beyond their exact range to text.
 * PostgreSQL accepts both in a numeric column.
 */
function withPlainNumbers(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    row[name] = Number.isSafeInteger(number) ? number : String(value)
  }
  return row
}

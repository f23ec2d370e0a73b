import type { DatabaseSync } from 'node:sqlite'
import { exportedTables, exportVersion, type ExportLine, type Row, type RowCounts } from '../export-lines.ts'
import { ownerSetting } from './database-owner.ts'

/**
 * Settings that are not exported: the progress of SQLite's own lists, which the target rebuilds,
 * and the owner of the database.
 */
const ownSettings = new Set<unknown>(['tasks_listed_until', ownerSetting])

/**
 * All content of the database, in one snapshot. No process writes there meanwhile, because the data
 * folder is locked.
 */
export function* exportRows(reader: DatabaseSync, nowMs: number): Generator<ExportLine> {
  yield { framegate_export: exportVersion, made_at: nowMs }
  const rows: RowCounts = {}
  for (const [table, order, left] of exportedTables) {
    rows[table] = 0
    const statement = reader.prepare(`select * from ${table} order by ${order}`)
    statement.setReadBigInts(true)
    for (const row of statement.iterate()) {
      if (table === 'settings' && ownSettings.has(row['name'])) continue
      for (const column of left) delete row[column]
      rows[table] += 1
      yield [table, withNumbers(row)]
    }
  }
  yield { end: true, rows }
}

/**
 * Turns whole numbers into JavaScript numbers, or into text beyond their exact range. PostgreSQL
 * reads either into a column of numbers.
 */
function withNumbers(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    row[name] = Number.isSafeInteger(number) ? number : String(value)
  }
  return row
}

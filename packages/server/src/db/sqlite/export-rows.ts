import type { DatabaseSync } from 'node:sqlite'
import { exportedTables, exportVersion, type ExportLine, type RowCounts } from '../export-lines.ts'

/** Where SQLite's own lists have got to; they are made anew elsewhere. */
const ownSettings = new Set<unknown>(['tasks_listed_until'])

/** Everything that the database holds, in one snapshot. Nobody writes there meanwhile: the data folder is locked. */
export function* exportRows(reader: DatabaseSync, nowMs: number): Generator<ExportLine> {
  yield { framegate_export: exportVersion, made_at: nowMs }
  const rows: RowCounts = {}
  for (const [table, order, left] of exportedTables) {
    rows[table] = 0
    for (const row of reader.prepare(`select * from ${table} order by ${order}`).iterate()) {
      if (table === 'settings' && ownSettings.has(row['name'])) continue
      for (const column of left) delete row[column]
      rows[table] += 1
      yield [table, row]
    }
  }
  yield { end: true, rows }
}

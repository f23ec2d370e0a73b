import type pg from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { exportedTables, exportVersion, type ExportLine, type Row, type RowCounts } from '../export-lines.ts'
import { jsonOf } from './storable-text.ts'
import { findDifferences } from './verify-credits.ts'

const rowsAtOnce = 1_000
const charactersAtOnceMax = 8 * 1024 * 1024

/** Writes an export into a database that holds nothing yet: all of it, with books that balance, or nothing. */
export async function importRows(client: pg.Client, lines: AsyncIterable<string>): Promise<RowCounts> {
  await client.query('begin')
  try {
    await requireEmpty(client)
    const counts = await writeRows(client, lines)
    await deriveRest(client)
    await requireSame(client, counts)
    await client.query('commit')
    return counts
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  for (const [table] of exportedTables) {
    const { rows } = await client.query(`select 1 from ${table} limit 1`)
    if (rows.length > 0) throw new StartupError(`The database is not empty (there is a row in ${table}): import into a new one.`)
  }
}

async function writeRows(client: pg.Client, lines: AsyncIterable<string>): Promise<RowCounts> {
  const known = new Map(exportedTables.map(([table]) => [table, 0]))
  let gathered: { table: string; rows: Row[]; characters: number } | null = null
  let isBegun = false
  let counts: RowCounts | null = null
  for await (const text of lines) {
    if (text === '') continue
    const line = readLine(text)
    if (counts !== null) throw new StartupError('The export goes on behind its end: it is not what framegate export has written.')
    if (!isBegun) {
      requireVersion(line)
      isBegun = true
    } else if (Array.isArray(line)) {
      const [table, row] = line
      const before = known.get(table)
      if (before === undefined) throw new StartupError(`The export has rows of ${table}, which this version does not know.`)
      known.set(table, before + 1)
      if (
        gathered !== null &&
        (gathered.table !== table || gathered.rows.length === rowsAtOnce || gathered.characters > charactersAtOnceMax)
      ) {
        await insert(client, gathered.table, gathered.rows)
        gathered = null
      }
      gathered ??= { table, rows: [], characters: 0 }
      gathered.rows.push(row)
      gathered.characters += text.length
    } else if ('end' in line) {
      counts = line.rows
    }
  }
  if (gathered !== null) await insert(client, gathered.table, gathered.rows)
  if (counts === null) throw new StartupError('The export has no end: it was cut short.')
  for (const [table, rows] of known) {
    if (counts[table] !== rows) throw new StartupError(`The export has ${rows} rows of ${table} and says ${counts[table] ?? 0}.`)
  }
  return counts
}

function readLine(text: string): ExportLine {
  try {
    return JSON.parse(text) as ExportLine
  } catch (cause) {
    throw new StartupError('The export holds a line that is not JSON: it is not what framegate export has written.', { cause })
  }
}

function requireVersion(line: ExportLine): void {
  if (!Array.isArray(line) && 'framegate_export' in line && line.framegate_export === exportVersion) return
  throw new StartupError(`This is no export of version ${exportVersion}: make one with framegate export of this version.`)
}

async function insert(client: pg.Client, table: string, rows: Row[]): Promise<void> {
  // Every row of a table has the same columns, and their names came with a table that is known.
  const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name.replaceAll('"', '')}"`)
  const names = columns.join(', ')
  await client.query(`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`, [
    jsonOf(rows),
  ])
}

/** What SQLite keeps elsewhere, or in memory. */
async function deriveRest(client: pg.Client): Promise<void> {
  await client.query(`
    update accounts a
    set last_position = e.last_position, last_at = e.last_at
    from (select account_no, max(position) as last_position, max(at) as last_at from entries group by account_no) e
    where e.account_no = a.no`)
  await client.query('update accounts a set has_grants = true where exists (select from grants g where g.account_no = a.no)')
  await client.query(`
    insert into waiting_lines (account_no, key_no)
    select distinct account_no, coalesce(key_no, 0) from tasks where waits = 1
    on conflict do nothing`)
  const { rows } = await client.query<{ table: string }>(`
    select table_name as table
    from information_schema.columns
    where table_schema = current_schema() and column_name = 'no' and is_identity = 'YES'`)
  for (const { table } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'no'), greatest(max(no), 1), max(no) is not null) from ${table}`,
    )
  }
  await client.query('analyze')
}

async function requireSame(client: pg.Client, counts: RowCounts): Promise<void> {
  for (const [table, expected] of Object.entries(counts)) {
    const { rows } = await client.query<{ n: number }>(`select count(*) as n from ${table}`)
    if (rows[0]?.n !== expected) throw new Error(`${table} has ${rows[0]?.n} rows, the export has ${expected}`)
  }
  const [difference] = await findDifferences(client)
  if (difference !== undefined)
    throw new StartupError(`The books of the export do not balance, and nothing was imported: ${difference}.`)
}

import type pg from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { exportedTables, exportVersion, type ExportLine, type Row, type RowCounts } from '../export-lines.ts'
import { jsonOf } from './storable-text.ts'
import { findDifferences } from './verify-credits.ts'

const rowsAtOnce = 1_000
const charactersAtOnceMax = 8 * 1024 * 1024

/**
 * Imports an export into an empty database. Either all rows are imported and the ledger balances,
 * or nothing is imported.
 */
export async function importRows(client: pg.Client, lines: AsyncIterable<string>, name: string): Promise<RowCounts> {
  await client.query('begin')
  try {
    await requireEmpty(client)
    const counts = await writeRows(client, lines, name)
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
    if (rows.length > 0) throw new StartupError(`The database is not empty: ${table} has rows. Import into a new database.`)
  }
}

async function writeRows(client: pg.Client, lines: AsyncIterable<string>, name: string): Promise<RowCounts> {
  const known = new Map(exportedTables.map(([table]) => [table, 0]))
  let gathered: GatheredRows | null = null
  let isBegun = false
  let counts: RowCounts | null = null
  let lineNo = 0
  for await (const text of lines) {
    lineNo += 1
    if (text === '') continue
    const where = `${name}, line ${lineNo}`
    const line = readLine(text, where)
    if (counts !== null) throw notAnExport(where, 'follows the end of the export')
    if (!isBegun) {
      requireVersion(line, where)
      isBegun = true
    } else if (Array.isArray(line)) {
      const [table, row] = line
      const before = known.get(table)
      if (before === undefined)
        throw new StartupError(`${where} has a row of the table ${table}, which is unknown to this version.`)
      known.set(table, before + 1)
      if (
        gathered !== null &&
        (gathered.table !== table || gathered.rows.length === rowsAtOnce || gathered.characters > charactersAtOnceMax)
      ) {
        await insertAll(client, gathered, name)
        gathered = null
      }
      gathered ??= { table, rows: [], lineNos: [], characters: 0 }
      gathered.rows.push(row)
      gathered.lineNos.push(lineNo)
      gathered.characters += text.length
    } else if ('end' in line) {
      counts = line.rows
    } else {
      throw notAnExport(where, 'starts the export a second time')
    }
  }
  if (gathered !== null) await insertAll(client, gathered, name)
  if (counts === null)
    throw new StartupError(`${name} is incomplete: it ends at line ${lineNo} without the closing line of an export.`)
  for (const [table, rows] of known) {
    if (counts[table] !== rows)
      throw new StartupError(`${name} has ${rows} rows of ${table}, but its closing line says ${counts[table] ?? 0}.`)
  }
  return counts
}

interface GatheredRows {
  table: string
  rows: Row[]
  /** Line number of each row in the export, from 1. */
  lineNos: number[]
  characters: number
}

/** Parses a line, which is `[table, row]`, or the first or last line of an export. */
function readLine(text: string, where: string): ExportLine {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch (cause) {
    throw notAnExport(where, 'is not JSON', cause)
  }
  if (Array.isArray(line)) {
    const [table, row, ...more] = line as unknown[]
    if (typeof table === 'string' && isRow(row) && Object.keys(row).length > 0 && more.length === 0) return [table, row]
  } else if (isRow(line) && ('framegate_export' in line || (line['end'] === true && isRow(line['rows'])))) {
    return line as ExportLine
  }
  throw notAnExport(where, 'is not a row of a table')
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAnExport(where: string, what: string, cause?: unknown): StartupError {
  return new StartupError(`${where} ${what}, so the file is not the output of framegate export.`, { cause })
}

function requireVersion(line: ExportLine, where: string): void {
  if (!Array.isArray(line) && 'framegate_export' in line && line.framegate_export === exportVersion) return
  throw new StartupError(
    `${where} is not the first line of an export of version ${exportVersion}. Export the data again with this version of ` +
      'Framegate.',
  )
}

/**
 * Inserts rows. If the database refuses them, inserts them again one by one, so that the error
 * names the line of the first wrong row.
 */
async function insertAll(client: pg.Client, { table, rows, lineNos }: GatheredRows, name: string): Promise<void> {
  await client.query('savepoint rows')
  try {
    await insert(client, table, rows)
    await client.query('release savepoint rows')
  } catch (error) {
    if (!isOfRow(error)) throw error
    await client.query('rollback to savepoint rows')
    for (const [index, row] of rows.entries()) {
      await insert(client, table, [row]).catch((cause: unknown) => {
        const { message } = cause as Error
        throw new StartupError(`${name}, line ${lineNos[index]} has an invalid row of ${table}: ${message}.`, { cause })
      })
    }
    throw error
  }
}

/**
 * Whether the row caused the error, and not the server. The error classes are 22 (data), 23
 * (constraints) and 42 (columns).
 */
function isOfRow(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(?:22|23|42)/.test(code)
}

async function insert(client: pg.Client, table: string, rows: Row[]): Promise<void> {
  // All rows of a table have the same columns. The export contains the column names. Quotes in them
  // are removed, so that no name can end the quoted identifier.
  const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name.replaceAll('"', '')}"`)
  const names = columns.join(', ')
  await client.query(`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`, [
    jsonOf(rows),
  ])
}

/**
 * Computes the columns and tables that are not in the export, because SQLite keeps their values
 * elsewhere or in memory.
 */
async function deriveRest(client: pg.Client): Promise<void> {
  await client.query(`
    update accounts a
    set last_position = e.last_position, last_at = e.last_at
    from (select account_no, max(position) as last_position, max(at) as last_at from entries group by account_no) e
    where e.account_no = a.no`)
  await client.query('update accounts a set has_grants = true where exists (select from grants g where g.account_no = a.no)')
  await client.query(`
    insert into wait_queues (account_no, key_no)
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
    throw new StartupError(`The ledger of the export does not balance, so nothing was imported: ${difference}.`)
}

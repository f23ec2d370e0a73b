import type pg from 'pg'
import { StartupError } from '../../lib/startup-error.ts'
import { exportedTables, exportVersion, type ExportLine, type Row, type RowCounts } from '../export-lines.ts'
import { jsonOf } from './storable-text.ts'
import { transact } from './transaction.ts'
import { findDifferences } from './verify-credits.ts'

const rowsPerInsertMax = 1_000
const charactersPerInsertMax = 8 * 1024 * 1024
/** Advisory lock of a running import. The number is "impo" in ASCII. */
const importLock = 0x696d706f

/** Throws if an import into this database is running. */
export async function requireNoImport(client: pg.Client, displayUrl: string): Promise<void> {
  // Outside of a transaction, the lock is released at the end of the statement.
  const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_xact_lock_shared($1) as "isFree"', [
    importLock,
  ])
  if (rows[0]?.isFree === false) {
    throw new StartupError(
      `framegate import is writing to the database ${displayUrl}. Start the service again when the import has ended.`,
    )
  }
}

/**
 * Imports an export into an empty database, and returns the number of rows of each table. Either
 * all rows are imported and the ledger balances, or nothing is imported.
 */
export async function importRows(client: pg.Client, lines: AsyncIterable<string>, fileName: string): Promise<RowCounts> {
  return transact(client, async () => {
    // If the export arrives over a slow connection, the transaction may be idle for longer than
    // this timeout allows.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [importLock])
    // Blocks a service that checked the advisory lock before this import took it. The first write
    // of that service to this table fails after 30 seconds.
    await client.query('lock table brands in exclusive mode')
    await requireEmpty(client)
    const counts = await writeRows(client, lines, fileName)
    await deriveTables(client)
    await requireConsistent(client, counts)
    return counts
  })
}

async function requireEmpty(client: pg.Client): Promise<void> {
  for (const [table] of exportedTables) {
    const { rows } = await client.query(`select 1 from ${table} limit 1`)
    if (rows.length > 0) throw new StartupError(`The database is not empty: ${table} has rows. Import into a new database.`)
  }
}

async function writeRows(client: pg.Client, lines: AsyncIterable<string>, fileName: string): Promise<RowCounts> {
  const lineCounts = new Map(exportedTables.map(([table]) => [table, 0]))
  let pending: RowGroup | null = null
  let hasHeader = false
  let counts: RowCounts | null = null
  let lineNo = 0
  for await (const text of lines) {
    lineNo += 1
    if (text === '') continue
    const location = `${fileName}, line ${lineNo}`
    const line = readLine(text, location)
    if (counts !== null) throw notAnExportError(location, 'follows the end of the export')
    if (!hasHeader) {
      requireVersion(line, location)
      hasHeader = true
    } else if (Array.isArray(line)) {
      const [table, row] = line
      const countBefore = lineCounts.get(table)
      if (countBefore === undefined)
        throw new StartupError(`${location} has a row of the table ${table}, which is unknown to this version.`)
      lineCounts.set(table, countBefore + 1)
      if (
        pending !== null &&
        (pending.table !== table || pending.rows.length === rowsPerInsertMax || pending.characters > charactersPerInsertMax)
      ) {
        await insertAll(client, pending, fileName)
        pending = null
      }
      pending ??= { table, rows: [], lineNos: [], characters: 0 }
      pending.rows.push(row)
      pending.lineNos.push(lineNo)
      pending.characters += text.length
    } else if ('end' in line) {
      counts = line.rows
    } else {
      throw notAnExportError(location, 'starts the export a second time')
    }
  }
  if (pending !== null) await insertAll(client, pending, fileName)
  if (counts === null)
    throw new StartupError(`${fileName} is incomplete: it ends at line ${lineNo} without the closing line of an export.`)
  for (const [table, rows] of lineCounts) {
    if (counts[table] === undefined) {
      throw new StartupError(
        `${fileName} was made by another version of Framegate: it lacks the table ${table}. Export the data again with this version.`,
      )
    }
    if (counts[table] !== rows)
      throw new StartupError(`${fileName} has ${rows} rows of ${table}, but its closing line says ${counts[table]}.`)
  }
  return counts
}

interface RowGroup {
  table: string
  rows: Row[]
  /** Line number of each row in the export, from 1. */
  lineNos: number[]
  characters: number
}

/** Parses a line, which is `[table, row]`, or the first or last line of an export. */
function readLine(text: string, location: string): ExportLine {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch (cause) {
    throw notAnExportError(location, 'is not JSON', cause)
  }
  if (Array.isArray(line)) {
    const [table, row, ...extra] = line as unknown[]
    if (typeof table === 'string' && isRow(row) && Object.keys(row).length > 0 && extra.length === 0) return [table, row]
  } else if (isRow(line) && ('framegate_export' in line || (line['end'] === true && isRow(line['rows'])))) {
    return line as ExportLine
  }
  throw notAnExportError(location, 'is not a row of a table')
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAnExportError(location: string, problem: string, cause?: unknown): StartupError {
  return new StartupError(`${location} ${problem}, so the file is not the output of framegate export.`, { cause })
}

function requireVersion(line: ExportLine, location: string): void {
  if (!Array.isArray(line) && 'framegate_export' in line && line.framegate_export === exportVersion) return
  throw new StartupError(
    `${location} is not the first line of an export of version ${exportVersion}. Export the data again with this version of ` +
      'Framegate.',
  )
}

/**
 * Inserts rows. If the database refuses them, inserts them again one by one, so that the error
 * names the line of the first wrong row.
 */
async function insertAll(client: pg.Client, { table, rows, lineNos }: RowGroup, fileName: string): Promise<void> {
  await client.query('savepoint rows')
  try {
    await insert(client, table, rows)
    await client.query('release savepoint rows')
  } catch (error) {
    if (!isDataError(error)) throw error
    await client.query('rollback to savepoint rows')
    for (const [index, row] of rows.entries()) {
      await insert(client, table, [row]).catch((cause: unknown) => {
        const { message } = cause as Error
        throw new StartupError(`${fileName}, line ${lineNos[index]} has an invalid row of ${table}: ${message}.`, { cause })
      })
    }
    throw error
  }
}

/**
 * Whether the row caused the error (classes 22: data, 23: constraints, 42: columns) and not the
 * server.
 */
function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(?:22|23|42)/.test(code)
}

async function insert(client: pg.Client, table: string, rows: Row[]): Promise<void> {
  // All rows of a table have the same columns. Quotes in the column names of the export are
  // removed, so that no name can end the quoted identifier.
  const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name.replaceAll('"', '')}"`)
  const names = columns.join(', ')
  await client.query(`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`, [
    jsonOf(rows),
  ])
}

/**
 * Computes the columns and tables that are not in the export, because SQLite stores their values
 * differently or only in memory. Also sets the sequences, and updates the planner's statistics.
 */
async function deriveTables(client: pg.Client): Promise<void> {
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

async function requireConsistent(client: pg.Client, counts: RowCounts): Promise<void> {
  for (const [table, expected] of Object.entries(counts)) {
    const { rows } = await client.query<{ n: number }>(`select count(*) as n from ${table}`)
    if (rows[0]?.n !== expected) throw new Error(`${table} has ${rows[0]?.n} rows, the export has ${expected}`)
  }
  const [difference] = await findDifferences(client)
  if (difference !== undefined)
    throw new StartupError(`The ledger of the export does not balance, so nothing was imported: ${difference}.`)
}

// Measures usage reports of all accounts on SQLite and PostgreSQL with the same rows.
//   npm run bench:usage -- [--only sqlite,postgres] [--accounts 1000] [--days 90] [--rounds 5]
//     [--json]
// PostgreSQL must be installed on this machine. docs/performance.md shows results.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { UsageOfAllDimension } from '@framegate/contract'
import { readUsageReport } from '../../packages/server/src/credits/read-usage-report.ts'
import { openSqliteStore } from '../../packages/server/src/db/sqlite/sqlite-store.ts'
import type { Store } from '../../packages/server/src/db/store.ts'
import { systemClock } from '../../packages/server/src/lib/clock.ts'
import { dayAt } from '../../packages/server/src/lib/dates.ts'
import { openTestStore } from '../../packages/server/test/postgres/open-test-store.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer } from '../../packages/server/test/postgres/postgres-server.ts'
import { thisMachine } from '../http/machine.ts'
import { median } from '../http/statistics.ts'
import { lineOf } from '../http/table.ts'
import { postgresCpuMs } from '../scale/postgres-figures.ts'
import { fillStatements, type Filling, type SqlOfEngine } from './fill-usage.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'sqlite,postgres' },
    accounts: { type: 'string', default: '1000' },
    days: { type: 'string', default: '90' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
})
const filling: Filling = {
  accounts: Number(values.accounts),
  keysPerAccount: 2,
  models: 12,
  routes: 8,
  days: Number(values.days),
  tasksPerRow: 5,
  firstDay: dayAt(Date.now()) - Number(values.days),
}
const reports: readonly (readonly UsageOfAllDimension[])[] = [
  ['account'],
  ['account', 'model'],
  ['account', 'key', 'model'],
  ['day', 'account'],
  ['brand', 'day', 'route'],
  ['model', 'upstream'],
]
const shortDays = 30
/** Maximum number of items in a report of the API. */
const itemsMax = 50_000

const sqliteDialect: SqlOfEngine = {
  numbers: (first, last) =>
    `with recursive n (n) as (select ${first} union all select n + 1 from n where n < ${last}) select n from n`,
}
const postgresDialect: SqlOfEngine = {
  numbers: (first, last) => `select n::bigint from generate_series(${first}, ${last}) n`,
}

interface Opened {
  store: Store
  fillSeconds: number
  /** Returns the CPU time in milliseconds: of this process for SQLite, otherwise of PostgreSQL. */
  cpuMs: () => Promise<number>
}

interface Measured {
  items: number
  seconds: number
  cpuSeconds: number
}

/** Figures of one report. The seconds are medians. */
interface ReportRow {
  /** Dimensions of the report. */
  by: string
  items: number
  seconds: number
  cpuSeconds: number
  /** Duration of the same report on only `shortDays` days. */
  shortSeconds: number
}

const engines: Record<string, (resources: AsyncDisposableStack) => Promise<Opened>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
}
const measured: { engine: string; fillSeconds: number; rows: number; tasks: number; reports: ReportRow[] }[] = []
for (const name of values.only.split(',')) {
  const openEngine = engines[name]
  if (openEngine === undefined) throw new Error(`--only takes sqlite and postgres, not ${name}`)
  await using resources = new AsyncDisposableStack()
  const { store, fillSeconds, cpuMs } = await openEngine(resources)
  const [sums] = await store.query
    .selectFrom('usage')
    .select(({ fn }) => [
      fn.countAll<number>().as('rows'),
      fn.sum<number>('completed').as('completed'),
      fn.sum<number>('failed').as('failed'),
    ])
    .execute()
  const tasks = Number(sums?.completed) + Number(sums?.failed)
  measured.push({ engine: name, fillSeconds, rows: Number(sums?.rows), tasks, reports: await measure(store, cpuMs) })
}
const result = { ...thisMachine('none'), engines: measured }
if (values.json) console.log(JSON.stringify(result, null, 2))
else print()

async function measure(store: Store, cpuMs: Opened['cpuMs']): Promise<ReportRow[]> {
  const rows: ReportRow[] = []
  for (const dimensions of reports) {
    const longReports: Measured[] = []
    const shortReports: Measured[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      longReports.push(await report(filling.days))
      shortReports.push(await report(shortDays))
    }
    console.error(`${dimensions.join(', ')}: measured`)
    rows.push({
      by: dimensions.join(', '),
      items: longReports[0]?.items ?? 0,
      seconds: median(longReports.map(({ seconds }) => seconds)),
      cpuSeconds: median(longReports.map(({ cpuSeconds }) => cpuSeconds)),
      shortSeconds: median(shortReports.map(({ seconds }) => seconds)),
    })

    async function report(days: number): Promise<Measured> {
      const lastDay = filling.firstDay + filling.days - 1
      const query = {
        fromDay: lastDay - days + 1,
        lastDay,
        by: dimensions,
        brand: undefined,
        account: undefined,
        model: undefined,
        limit: itemsMax + 1,
      }
      const [cpuBefore, startedAt] = [await cpuMs(), performance.now()]
      const { length: items } = await readUsageReport(store, query)
      const seconds = (performance.now() - startedAt) / 1000
      return { items, seconds, cpuSeconds: ((await cpuMs()) - cpuBefore) / 1000 }
    }
  }
  return rows
}

async function openSqlite(resources: AsyncDisposableStack): Promise<Opened> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-usage-'))
  resources.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const migrated = await openSqliteStore({ dataDir, clock: systemClock })
  await migrated[Symbol.asyncDispose]()
  const startedAt = performance.now()
  const database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
  database.exec('pragma synchronous = off; begin')
  for (const statement of fillStatements(filling, sqliteDialect)) database.exec(statement)
  database.exec(`insert into usage_totals
    select u.day, a.brand_no, u.model, u.route_no, sum(u.completed), sum(u.failed), sum(u.charged), sum(u.produced_ms), sum(u.cost),
      sum(u.cost_unknown), sum(u.input_tokens), sum(u.cached_input_tokens), sum(u.output_tokens)
    from usage u join accounts a on a.no = u.account_no
    group by u.day, a.brand_no, u.model, u.route_no;
    commit`)
  database.close()
  const fillSeconds = (performance.now() - startedAt) / 1000
  const store = resources.use(await openSqliteStore({ dataDir, clock: systemClock }))
  return { store, fillSeconds, cpuMs: async () => (process.cpuUsage().user + process.cpuUsage().system) / 1000 }
}

async function openPostgres(resources: AsyncDisposableStack): Promise<Opened> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('this bench needs a PostgreSQL server (Debian: apt-get install postgresql)')
  const server = await startPostgresServer(programs)
  resources.defer(() => server.remove())
  const url = await createDatabase(server.url, 'usage_reports')
  const store = resources.use(await openTestStore(url))
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  for (const statement of fillStatements(filling, postgresDialect)) await client.query(statement)
  await client.query('vacuum analyze')
  resources.defer(() => client.end())
  return { store, fillSeconds: (performance.now() - startedAt) / 1000, cpuMs: () => postgresCpuMs(client) }
}

function print(): void {
  for (const { engine, rows, tasks, fillSeconds, reports: engineReports } of measured) {
    console.log(`${engine}: ${tasks} tasks in ${rows} rows, filled in ${fillSeconds.toFixed(0)} s`)
    console.log(lineOf('report by', ['items', `${filling.days} d`, 'CPU', `${shortDays} d`]))
    for (const { by, items, seconds, cpuSeconds, shortSeconds } of engineReports) {
      console.log(lineOf(by, [String(items), ...[seconds, cpuSeconds, shortSeconds].map((value) => `${value.toFixed(2)} s`)]))
    }
  }
}

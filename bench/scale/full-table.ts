import type pg from 'pg'
import type { BenchProcess } from '../http/bench-process.ts'
import { polls, submits, tasksPath, type RequestText } from '../http/requests.ts'
import { median, percentile } from '../http/statistics.ts'
import { fillTables, type Filling } from './fill-tables.ts'
import type { Database, Installation } from './installation.ts'
import type { LoadOptions } from './load-on-several.ts'
import { readScanCounts } from './postgres-figures.ts'

export interface TableRow {
  what: string
  emptyP99Ms: number
  fullP99Ms: number
  /** Median over the rounds of `fullP99Ms` divided by `emptyP99Ms`. */
  ratioToEmpty: number
}

export interface FullTable {
  tasks: number
  gigabytes: number
  /** Time until the database is filled and its service has started. */
  fillSeconds: number
  verifySeconds: number
  /** Number of differences that the verification of the credits found. */
  differences: number
  rows: TableRow[]
  /** Number of sequential scans of each table and of uses of each index during the measurement. */
  scans: Record<string, number>
  /** Months of past tasks that were dropped. */
  months: DroppedMonth[]
}

export interface DroppedMonth {
  tasks: number
  /** Time that dropping the month took. */
  ms: number
}

/** Contents of the nearly empty database: enough rows to fill the pages of the requested lists. */
const nearlyEmptyFilling: Filling = { accounts: 100, tasks: 20_000, arePast: false }
/** Number of accounts that are queried in each of the two databases. */
const queriedAccounts = 100
const pageLength = 20
const runningTasks = 1_000
const claims = 300
const largeTables = ['tasks', 'past_tasks', 'entries', 'task_attempts', 'results', 'usage']

interface Side {
  database: Database
  keys: readonly string[]
  process: BenchProcess
  runningIds: readonly string[]
}

/**
 * Sends the same requests alternately to a service on a nearly empty database and to a service on a
 * database with many ended tasks.
 */
export async function measureFullTable(
  installation: Installation,
  filling: Filling,
  rounds: number,
  options: LoadOptions & { countsScans: boolean },
  printProgress: (text: string) => void,
): Promise<FullTable> {
  await using resources = new AsyncDisposableStack()
  const startedAt = performance.now()
  const fullSide = await openSide(resources, installation, 'full_table', filling)
  const fillSeconds = (performance.now() - startedAt) / 1000
  printProgress(`${filling.tasks} ended tasks are in the table after ${fillSeconds.toFixed(0)} s`)
  const emptySide = await openSide(resources, installation, 'empty_table', nearlyEmptyFilling)
  const countScans = async (): Promise<Map<string, number>> =>
    options.countsScans ? await readScanCounts(fullSide.database.client, largeTables) : new Map()
  const scansBefore = await countScans()

  const rows: TableRow[] = []
  for (const { what, measure } of createScenarios(options)) {
    const [emptyMs, fullMs]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      const sides = [
        { side: emptySide, p99s: emptyMs },
        { side: fullSide, p99s: fullMs },
      ]
      for (const { side, p99s } of round % 2 === 0 ? sides : sides.toReversed()) {
        const p99Ms = await measure(side)
        if (round >= 0) p99s.push(p99Ms)
      }
    }
    const ratioToEmpty = median(fullMs.map((p99Ms, round) => p99Ms / (emptyMs[round] ?? 0)))
    rows.push({ what, emptyP99Ms: median(emptyMs), fullP99Ms: median(fullMs), ratioToEmpty })
    printProgress(`${what}: measured`)
  }
  const scansAfter = await countScans()

  const verifyStartedAt = performance.now()
  const { differences } = await fullSide.process.call<{ differences: unknown[] }>('verifyCredits')
  const verifySeconds = (performance.now() - verifyStartedAt) / 1000
  const { rows: sizes } = await fullSide.database.client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  return {
    tasks: filling.tasks,
    gigabytes: Number(sizes[0]?.bytes) / 1024 ** 3,
    fillSeconds,
    verifySeconds,
    differences: differences.length,
    rows,
    months: await dropMonths(fullSide.database.client),
    scans: Object.fromEntries(
      [...scansAfter]
        .map(([name, count]) => [name, count - (scansBefore.get(name) ?? 0)] as const)
        .filter(([name, count]) => largeTables.includes(name) || count > 0),
    ),
  }
}

async function openSide(
  resources: AsyncDisposableStack,
  installation: Installation,
  name: string,
  filling: Filling,
): Promise<Side> {
  const database = await installation.newDatabase(name)
  resources.defer(() => database.close())
  const keys = (await fillTables(database.url, filling)).slice(0, queriedAccounts)
  const process = resources.use(await database.startService('api', { driver: 'none', inFlightMax: 0, accounts: 0 }))
  return { database, keys, process, runningIds: await process.call<string[]>('run', runningTasks) }
}

/** Drops the monthly tables of past tasks, as the service does. */
async function dropMonths(client: pg.Client): Promise<DroppedMonth[]> {
  const months: DroppedMonth[] = []
  for (;;) {
    const pastBefore = await countPast(client)
    const startedAt = performance.now()
    const { rows } = await client.query<{ name: string | null }>('select drop_past_month(first_task_no_at($1)) as name', [
      Date.now(),
    ])
    const ms = performance.now() - startedAt
    if (rows[0]?.name === null) return months
    months.push({ tasks: pastBefore - (await countPast(client)), ms })
  }
}

async function countPast(client: pg.Client): Promise<number> {
  return Number((await client.query<{ n: string }>('select count(*) as n from past_tasks')).rows[0]?.n)
}

function createScenarios({
  load,
  connections,
  roundSeconds,
}: LoadOptions): { what: string; measure: (side: Side) => Promise<number> }[] {
  const measureRequests =
    (requestsFor: (side: Side) => RequestText[], cancelsTasks = false) =>
    async (side: Side): Promise<number> => {
      const requests = requestsFor(side)
      const { failed, p99Ms } = await load({ port: side.process.port, requests, connections, seconds: roundSeconds })
      if (failed > 0) throw new Error(`${failed} requests failed: ${requests[0]}`)
      if (cancelsTasks) await side.process.call('cancelAll')
      return p99Ms
    }
  return [
    { what: 'query of a running task', measure: measureRequests(({ keys, runningIds }) => polls(keys[0] ?? '', runningIds)) },
    { what: 'list of the newest tasks', measure: measureRequests(({ keys }) => keys.map((key) => listRequest(key, ''))) },
    {
      what: 'list of failed tasks',
      measure: measureRequests(({ keys }) => keys.map((key) => listRequest(key, '&status=failed'))),
    },
    {
      what: 'claim of one task',
      measure: async ({ process }) => {
        const timesMs = await process.call<number[]>('claimTimes', claims)
        await process.call('cancelAll')
        return percentile(timesMs, 99)
      },
    },
    { what: 'submit', measure: measureRequests(({ keys }) => submits(keys), true) },
  ]
}

function listRequest(key: string, query: string): RequestText {
  return `GET ${tasksPath}?limit=${pageLength}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

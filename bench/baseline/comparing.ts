// Compares Framegate with a simple service on Fastify, BullMQ and Redis that does the same work.
// The sides are measured alternately in one run.
//   npm ci --prefix bench/baseline
//   npm run bench:baseline -- [--rounds 5] [--seconds 2] [--json]
// It needs redis-server and a PostgreSQL server on this machine. docs/performance.md explains the
// figures and shows results.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openLoad } from '../http/load.ts'
import type { BenchDriver } from '../http/bench-drivers.ts'
import { machineLine, thisMachine } from '../http/machine.ts'
import { BenchProcess } from '../http/bench-process.ts'
import { polls, submits, type RequestText } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import { lineOf } from '../http/table.ts'
import { measureEndToEndRate } from '../http/end-to-end-tasks.ts'
import { createDatabase, findPostgresPrograms, startPostgresServer } from '../../packages/server/test/postgres/postgres-server.ts'
import { findRedisProblem, startRedisServer } from './redis-server.ts'

interface Side {
  name: string
  start(driver: BenchDriver, inFlightMax: number): Promise<BenchProcess>
}

interface Row {
  what: string
  side: string
  perSecond: number
  /** Null for end-to-end tasks. */
  p99Ms: number | null
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const polledTasks = 1_000
const tasksInFlightMax = 200
const tasksPerRound = 1_500
const submitSecondsMax = 60

if (!existsSync(new URL('node_modules/bullmq', import.meta.url))) {
  throw new Error('this bench needs BullMQ: npm ci --prefix bench/baseline')
}
const redisProblem = findRedisProblem()
if (redisProblem !== null) throw new Error(`this bench needs a Redis server: ${redisProblem}`)
const programs = findPostgresPrograms()
if (programs === undefined) throw new Error('this bench needs a PostgreSQL server (Debian: apt-get install postgresql)')

await using resources = new AsyncDisposableStack()
const load = resources.use(await openLoad(false))
/**
 * Load generator that can limit the number of requests, for end-to-end tasks. Without a limit, it
 * would submit more tasks in a second than can end in a minute.
 */
const limitedLoad = resources.use(await openLoad(true))
const postgres = await startPostgresServer(programs)
resources.defer(() => postgres.remove())
const redisAlways = resources.use(await startRedisServer('always'))
const redisEverySecond = resources.use(await startRedisServer('everysec'))
let databaseCount = 0

const sides: Side[] = [
  { name: 'Framegate on SQLite', start: (driver, inFlightMax) => startFramegate({ driver, inFlightMax }) },
  {
    name: 'Framegate on PostgreSQL',
    start: async (driver, inFlightMax) => {
      databaseCount += 1
      const DATABASE_URL = await createDatabase(postgres.url, `compared_${databaseCount}`)
      return startFramegate({ driver, inFlightMax, settings: { DATABASE_URL } })
    },
  },
  {
    name: 'Fastify + BullMQ, on disk before the response',
    start: (driver, inFlightMax) => startBaseline({ driver, inFlightMax, redisPort: redisAlways.port }),
  },
  {
    name: 'Fastify + BullMQ, on disk a second later',
    start: (driver, inFlightMax) => startBaseline({ driver, inFlightMax, redisPort: redisEverySecond.port }),
  },
]
const options = { load: load.load, connections: 64, roundSeconds: Number(values.seconds) }

const report = {
  ...thisMachine(load.name),
  rows: [
    ...(await measureSubmits()),
    ...(await measurePolls()),
    ...(await measureEndToEndTasks('refusing')),
    ...(await measureEndToEndTasks('instant')),
  ],
}
if (values.json) console.log(JSON.stringify(report, null, 2))
else {
  console.log(machineLine(report))
  let lastLabel = ''
  for (const row of report.rows) {
    if (row.what !== lastLabel) console.log(`\n${lineOf(row.what, ['per second', 'p99 ms'])}`)
    lastLabel = row.what
    console.log(lineOf(`  ${row.side}`, [row.perSecond.toFixed(0), row.p99Ms?.toFixed(1) ?? '']))
  }
}

function startFramegate(settings: object): Promise<BenchProcess> {
  return BenchProcess.start('measured-service.ts', { accounts: 1, ...settings })
}

function startBaseline(settings: object): Promise<BenchProcess> {
  return BenchProcess.start('../baseline/measured-bullmq.js', settings)
}

async function measureSubmits(): Promise<Row[]> {
  return measureAlternately('submit', 'none', 0, async (process, requests) => {
    const measured = await measureLoad(process, requests)
    await process.call('cancelAll')
    return measured
  })
}

async function measurePolls(): Promise<Row[]> {
  return measureAlternately('poll of an ended task', 'instant', 0, measureLoad, async (process) => {
    const [key = ''] = await process.call<string[]>('keys')
    return polls(key, await process.call<string[]>('endedTasks', polledTasks))
  })
}

async function measureEndToEndTasks(driver: 'instant' | 'refusing'): Promise<Row[]> {
  const caseName = driver === 'instant' ? 'end-to-end task with an image synced to disk' : 'end-to-end task without a result'
  return measureAlternately(caseName, driver, tasksInFlightMax, async (process, requests) => ({
    perSecond: await measureEndToEndRate(process, requests, {
      ...options,
      load: limitedLoad.load,
      roundSeconds: submitSecondsMax,
      requestsMax: tasksPerRound,
    }),
    p99Ms: null,
  }))
}

type Measured = Pick<Row, 'perSecond' | 'p99Ms'>

/** Measures one side after the other in each round. Round -1 is a warm-up. */
async function measureAlternately(
  label: string,
  driver: BenchDriver,
  inFlightMax: number,
  measure: (process: BenchProcess, requests: RequestText[]) => Promise<Measured>,
  requestsFor = async (process: BenchProcess): Promise<RequestText[]> =>
    submits(await process.call<string[]>('keys'), { model: 'imgA-5.0' }),
): Promise<Row[]> {
  await using running = new AsyncDisposableStack()
  const measured: { side: string; process: BenchProcess; requests: RequestText[]; results: Measured[] }[] = []
  for (const side of sides) {
    const process = running.use(await side.start(driver, inFlightMax))
    measured.push({ side: side.name, process, requests: await requestsFor(process), results: [] })
  }
  for (let round = -1; round < rounds; round++) {
    for (const { process, requests, results } of measured) {
      const result = await measure(process, requests)
      if (round >= 0) results.push(result)
    }
  }
  return measured.map(({ side, results }) => ({
    what: label,
    side,
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    p99Ms: results.some(({ p99Ms }) => p99Ms === null) ? null : median(results.map(({ p99Ms }) => p99Ms ?? 0)),
  }))
}

async function measureLoad(process: BenchProcess, requests: RequestText[]): Promise<Measured> {
  const { port } = process
  const { responses, failed, seconds, p99Ms } = await options.load({
    port,
    requests,
    connections: options.connections,
    seconds: options.roundSeconds,
  })
  if (failed > 0) throw new Error(`${failed} of ${responses} requests failed: ${requests[0]}`)
  return { perSecond: responses / seconds, p99Ms }
}

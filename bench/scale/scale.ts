// Measures the service on PostgreSQL, with an increasing number of processes, and with many ended
// tasks in the database compared with a nearly empty database.
//   npm run bench:scale -- [--only api,workers,table] [--tasks 5000000] [--past] [--rounds 5]
//     [--seconds 2] [--sockets] [--no-scans] [--json]
// It needs a PostgreSQL server and versitygw on this machine. docs/performance.md explains the
// figures and shows results.
import { parseArgs } from 'node:util'
import { openLoad } from '../http/load.ts'
import { machineLine, thisMachine } from '../http/machine.ts'
import { lineOf } from '../http/table.ts'
import { measureApiProcesses } from './api-processes.ts'
import { measureFullTable } from './full-table.ts'
import { startInstallation } from './installation.ts'
import type { LoadOptions } from './load-on-several.ts'
import { measureWorkerProcesses } from './worker-processes.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'api,workers,table' },
    tasks: { type: 'string', default: '5000000' },
    /** Whether to move the ended tasks to the tables of past tasks before the measurement. */
    past: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    /** Whether to use plain sockets even if wrk is installed. */
    sockets: { type: 'boolean', default: false },
    /** Whether to report scans. PostgreSQL publishes them only after a delay. */
    scans: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  },
  allowNegative: true,
})
const partNames = values.only.split(',')
const rounds = Number(values.rounds)
const tableAccounts = 1_000
const manyConnections = 64
/** A small number of connections, so that the latency contains little waiting time. */
const fewConnections = 4

await using load = await openLoad(values.sockets)
/**
 * Load generator that can limit the number of requests. wrk cannot, and would submit more tasks in
 * a second than can end in a minute.
 */
await using limitedLoad = await openLoad(true)
await using installation = await startInstallation()
const options: LoadOptions = { load: load.load, connections: manyConnections, roundSeconds: Number(values.seconds) }
const report = {
  ...thisMachine(load.name),
  api: partNames.includes('api') ? await measureApiProcesses(installation, rounds, options) : [],
  workers: partNames.includes('workers')
    ? await measureWorkerProcesses(installation, rounds, { ...options, load: limitedLoad.load })
    : [],
  table: partNames.includes('table')
    ? await measureFullTable(
        installation,
        {
          accounts: tableAccounts,
          tasks: Math.ceil(Number(values.tasks) / tableAccounts) * tableAccounts,
          arePast: values.past,
        },
        rounds,
        { ...options, connections: fewConnections, countsScans: values.scans },
        printProgress,
      )
    : null,
}
if (values.json) console.log(JSON.stringify(report, null, 2))
else print()

function printProgress(text: string): void {
  console.error(text)
}

function print(): void {
  const { api, workers, table } = report
  console.log(machineLine(report))
  if (api.length > 0) {
    console.log(`\n${lineOf('', ['processes', 'req/s', 'p99 ms', 'service µs', 'db µs'])}`)
    for (const { what, processes, together } of api) {
      const figures = [
        together.perSecond.toFixed(0),
        together.p99Ms.toFixed(1),
        together.serviceCpuMicros.toFixed(0),
        together.postgresCpuMicros.toFixed(0),
      ]
      console.log(lineOf(what, [String(processes), ...figures]))
    }
  }
  if (workers.length > 0) {
    console.log(`\n${lineOf('', ['workers', 'tasks/s', 'db µs'])}`)
    for (const { what, workers: count, tasksPerSecond, postgresCpuMicros } of workers) {
      console.log(lineOf(what, [String(count), tasksPerSecond.toFixed(0), postgresCpuMicros.toFixed(0)]))
    }
  }
  if (table !== null) {
    console.log(
      `\n${lineOf(`${table.tasks} ended tasks, ${table.gigabytes.toFixed(1)} GB`, ['empty ms', 'full ms', 'full/empty'])}`,
    )
    for (const { what, emptyP99Ms, fullP99Ms, ratioToEmpty } of table.rows) {
      console.log(lineOf(`${what}, p99`, [emptyP99Ms.toFixed(2), fullP99Ms.toFixed(2), ratioToEmpty.toFixed(2)]))
    }
    console.log('\nsequential scans of tables, and uses of indexes, during the measurements:')
    for (const [name, count] of Object.entries(table.scans)) console.log(lineOf(`  ${name}`, [String(count)]))
    for (const { tasks, ms } of table.months) console.log(lineOf(`month of ${tasks} tasks dropped, ms`, [ms.toFixed(0)]))
    console.log(`credits verify: ${table.differences} differences in ${table.verifySeconds.toFixed(0)} s`)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchDriver } from '../http/bench-drivers.ts'
import { submits } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import type { Database, Installation } from './installation.ts'
import type { LoadOptions } from './load-on-several.ts'
import { postgresCpuMs } from './postgres-figures.ts'

export interface WorkersRow {
  what: string
  workers: number
  /** Throughput from the first submit to the end of the last task. */
  tasksPerSecond: number
  /** CPU time of PostgreSQL per task. */
  postgresCpuMicros: number
}

const counts = [1, 2, 4]
const accounts = 100
/** Maximum number of tasks that all workers together run at the same time. */
const tasksAtOnceMax = 500
/**
 * Number of tasks per round. It is limited, because more tasks can be submitted in a second than
 * end in a minute.
 */
const tasksPerRound = 1_500
const submitSecondsMax = 60
const pollIntervalMs = 20
const kinds: { what: string; driver: BenchDriver }[] = [
  { what: 'ended at the first poll, without a result', driver: 'refusing' },
  { what: 'completed with an image in the bucket', driver: 'instant' },
]

/**
 * Measures end-to-end tasks with an increasing number of workers. One API process accepts a fixed
 * number of submits. The measured time ends when the last task has ended.
 */
export async function measureWorkerProcesses(
  installation: Installation,
  rounds: number,
  options: LoadOptions,
): Promise<WorkersRow[]> {
  const rows: WorkersRow[] = []
  for (const { what, driver } of kinds) {
    const database = await installation.newDatabase(`workers_${driver}`)
    await using resources = new AsyncDisposableStack()
    resources.defer(() => database.close())
    const api = resources.use(await database.startService('api', { driver, inFlightMax: 0, accounts }))
    const requests = submits(await api.call<string[]>('keys'), { model: 'imgA-5.0' })
    for (const workers of counts) {
      await using workerResources = new AsyncDisposableStack()
      await startWorkers(workerResources, database, driver, workers)
      const measuredRounds: { tasksPerSecond: number; postgresCpuMicros: number }[] = []
      for (let round = -1; round < rounds; round++) {
        const cpuMsBefore = await postgresCpuMs(database.client)
        const startedAt = performance.now()
        const { responses } = await options.load({
          port: api.port,
          requests,
          connections: options.connections,
          seconds: submitSecondsMax,
          requestsMax: tasksPerRound,
        })
        await waitUntilAllEnded(database.client)
        const tasksPerSecond = responses / ((performance.now() - startedAt) / 1000)
        const postgresMs = (await postgresCpuMs(database.client)) - cpuMsBefore
        if (round >= 0) measuredRounds.push({ tasksPerSecond, postgresCpuMicros: (postgresMs / responses) * 1000 })
      }
      rows.push({
        what,
        workers,
        tasksPerSecond: median(measuredRounds.map((round) => round.tasksPerSecond)),
        postgresCpuMicros: median(measuredRounds.map((round) => round.postgresCpuMicros)),
      })
    }
  }
  return rows
}

async function startWorkers(
  resources: AsyncDisposableStack,
  database: Database,
  driver: BenchDriver,
  count: number,
): Promise<void> {
  for (let worker = 0; worker < count; worker++) {
    resources.use(await database.startService('worker', { driver, inFlightMax: Math.ceil(tasksAtOnceMax / count), accounts: 0 }))
  }
}

async function waitUntilAllEnded(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ some: boolean }>('select exists (select from tasks where ended_at is null) as some')
    if (rows[0]?.some === false) return
    await sleep(pollIntervalMs)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { polls, submits, type RequestText } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import type { Installation } from './installation.ts'
import { loadOnSeveral, type LoadOptions, type CombinedFigures } from './load-on-several.ts'

export interface ProcessesRow {
  what: string
  processes: number
  together: CombinedFigures
}

const counts = [1, 2, 4]
const accounts = 1_000
const polledTasks = 1_000
/** Time after which every process knows the keys that one process has created. */
const keysKnownMs = 3_000

/**
 * Measures submits and polls with one, two and four API processes on the same database,
 * alternately.
 */
export async function measureApiProcesses(
  installation: Installation,
  rounds: number,
  options: LoadOptions,
): Promise<ProcessesRow[]> {
  const database = await installation.newDatabase('api_processes')
  await using resources = new AsyncDisposableStack()
  resources.defer(() => database.close())
  const firstProcess = resources.use(
    await database.startService('api', { driver: 'none', inFlightMax: 0, accounts: accounts + 1 }),
  )
  const processes = [firstProcess]
  while (processes.length < Math.max(...counts)) {
    processes.push(resources.use(await database.startService('api', { driver: 'none', inFlightMax: 0, accounts: 0 })))
  }
  const keys = await firstProcess.call<string[]>('keys')
  const [polledKey = ''] = keys
  const runningIds = await firstProcess.call<string[]>('run', polledTasks)
  const endedIds = await firstProcess.call<string[]>('run', polledTasks)
  await firstProcess.call('complete', endedIds)
  await sleep(keysKnownMs)

  const submitKeys = keys.slice(1)
  const scenarios: { what: string; requests: RequestText[]; cancelsTasks?: boolean }[] = [
    { what: 'poll of an ended task', requests: polls(polledKey, endedIds) },
    { what: 'poll of a running task', requests: polls(polledKey, runningIds) },
    { what: 'submit, 1,000 accounts', requests: submits(submitKeys), cancelsTasks: true },
    { what: 'submit, one account', requests: submits(submitKeys.slice(0, 1)), cancelsTasks: true },
  ]
  const rows: ProcessesRow[] = []
  // Submits are measured last, because the clean-up after them also cancels the running tasks.
  for (const { what, requests, cancelsTasks } of scenarios) {
    const measured = counts.map((count) => ({ count, roundFigures: [] as CombinedFigures[] }))
    for (let round = -1; round < rounds; round++) {
      for (const { count, roundFigures } of measured) {
        const together = await loadOnSeveral(processes.slice(0, count), requests, database.client, options)
        if (round >= 0) roundFigures.push(together)
        if (cancelsTasks) await firstProcess.call('cancelAll')
      }
    }
    rows.push(...measured.map(({ count, roundFigures }) => ({ what, processes: count, together: medianOf(roundFigures) })))
  }
  return rows
}

function medianOf(roundFigures: readonly CombinedFigures[]): CombinedFigures {
  const mediansOf = (field: keyof CombinedFigures): number => median(roundFigures.map((together) => together[field]))
  return {
    perSecond: mediansOf('perSecond'),
    p99Ms: mediansOf('p99Ms'),
    serviceCpuMicros: mediansOf('serviceCpuMicros'),
    postgresCpuMicros: mediansOf('postgresCpuMicros'),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { polls, submits, type RequestText } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import type { Installation } from './installation.ts'
import { loadOnSeveral, type LoadOptions, type Together } from './load-on-several.ts'

export interface ProcessesRow {
  what: string
  processes: number
  together: Together
}

const counts = [1, 2, 4]
const accounts = 1_000
const polledTasks = 1_000
/** Time until every process knows the keys that one of them has made. */
const keysKnownMs = 3_000

/**
 * Measures submits and polls with an increasing number of API processes on one database, in
 * alternation.
 */
export async function measureApiProcesses(
  installation: Installation,
  rounds: number,
  options: LoadOptions,
): Promise<ProcessesRow[]> {
  const database = await installation.newDatabase('api_processes')
  await using opened = new AsyncDisposableStack()
  opened.defer(() => database.close())
  const first = opened.use(await database.startService('api', { driver: 'none', inFlightMax: 0, accounts: accounts + 1 }))
  const processes = [first]
  while (processes.length < Math.max(...counts)) {
    processes.push(opened.use(await database.startService('api', { driver: 'none', inFlightMax: 0, accounts: 0 })))
  }
  const keys = await first.call<string[]>('keys')
  const [polledKey = ''] = keys
  const running = await first.call<string[]>('run', polledTasks)
  const ended = await first.call<string[]>('run', polledTasks)
  await first.call('complete', ended)
  await sleep(keysKnownMs)

  const submitKeys = keys.slice(1)
  const scenarios: { what: string; requests: RequestText[]; tidies?: boolean }[] = [
    { what: 'poll of an ended task', requests: polls(polledKey, ended) },
    { what: 'poll of a running task', requests: polls(polledKey, running) },
    { what: 'submit, 1,000 accounts', requests: submits(submitKeys), tidies: true },
    { what: 'submit, one account', requests: submits(submitKeys.slice(0, 1)), tidies: true },
  ]
  const rows: ProcessesRow[] = []
  // Submits come last, because the clean-up after them removes the running tasks too.
  for (const { what, requests, tidies } of scenarios) {
    const measured = counts.map((count) => ({ count, found: [] as Together[] }))
    for (let round = -1; round < rounds; round++) {
      for (const { count, found } of measured) {
        const together = await loadOnSeveral(processes.slice(0, count), requests, database.client, options)
        if (round >= 0) found.push(together)
        if (tidies) await first.call('cancelAll')
      }
    }
    rows.push(...measured.map(({ count, found }) => ({ what, processes: count, together: medianOf(found) })))
  }
  return rows
}

function medianOf(found: readonly Together[]): Together {
  const of = (field: keyof Together): number => median(found.map((together) => together[field]))
  return {
    perSecond: of('perSecond'),
    p99Ms: of('p99Ms'),
    serviceCpuMicros: of('serviceCpuMicros'),
    postgresCpuMicros: of('postgresCpuMicros'),
  }
}

import { BenchProcess } from '../http/bench-process.ts'
import { deliver, subscribe } from './deliver.ts'
import type { Row } from './row.ts'
import { startEventService } from './service.ts'
import { startPostgres } from './start-postgres.ts'

/**
 * Measures deliveries to one webhook on loopback, on SQLite, and on PostgreSQL if this machine has
 * it.
 */
export async function measureDeliveries(eventCount: number): Promise<Row[]> {
  const rows = await measureOn('SQLite', {}, eventCount)
  await using postgres = await startPostgres()
  if (postgres === undefined) return rows
  rows.push(...(await measureOn('PostgreSQL', { DATABASE_URL: postgres.url }, eventCount)))
  return rows
}

async function measureOn(engine: string, settings: Record<string, string>, eventCount: number): Promise<Row[]> {
  await using receiver = await BenchProcess.start('../events/measured-receiver.ts')
  await using service = await startEventService({ settings })
  await subscribe(service, receiver)
  // Warm-up.
  await deliver(service, receiver, Math.ceil(eventCount / 5))
  const { figures, result } = await service.process.measure(() => deliver(service, receiver, eventCount))
  if (result.repeated > 0) throw new Error(`${result.repeated} deliveries were repeated`)
  const cpuMsPerEvent = (figures.mainCpuMs + figures.otherCpuMs) / eventCount
  return [
    { what: `deliveries to one webhook, ${engine}`, figure: result.perSecond, unit: '/s', target: { atLeast: 1000 } },
    {
      what: "CPU time of the service's main thread per delivery, including the end of the task",
      figure: figures.mainCpuMs / eventCount,
      unit: 'ms',
    },
    { what: 'CPU time of all threads per delivery, including the end of the task', figure: cpuMsPerEvent, unit: 'ms' },
  ]
}

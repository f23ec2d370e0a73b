import { MeasuredProcess } from '../http/measured-process.ts'
import { deliver, subscribe } from './deliver.ts'
import type { Row } from './row.ts'
import { startEventService } from './service.ts'
import { startPostgres } from './start-postgres.ts'

/**
 * Measures deliveries to one webhook on loopback, on SQLite, and on PostgreSQL if this machine has
 * it.
 */
export async function measureDeliveries(events: number): Promise<Row[]> {
  const rows = await measureOn('SQLite', {}, events)
  await using postgres = await startPostgres()
  if (postgres === undefined) return rows
  rows.push(...(await measureOn('PostgreSQL', { DATABASE_URL: postgres.url }, events)))
  return rows
}

async function measureOn(engine: string, settings: Record<string, string>, events: number): Promise<Row[]> {
  await using receiver = await MeasuredProcess.start('../events/measured-receiver.ts')
  await using service = await startEventService({ settings })
  await subscribe(service, receiver)
  // Warm-up.
  await deliver(service, receiver, Math.ceil(events / 5))
  const { figures, done } = await service.process.figuresOf(() => deliver(service, receiver, events))
  if (done.repeated > 0) throw new Error(`${done.repeated} deliveries were repeated`)
  const cpuMsPerEvent = (figures.mainCpuMs + figures.otherCpuMs) / events
  return [
    { what: `deliveries to one webhook, ${engine}`, figure: done.perSecond, unit: '/s', target: { atLeast: 1000 } },
    {
      what: 'CPU time of the main thread of the service for each, with the end of its task',
      figure: figures.mainCpuMs / events,
      unit: 'ms',
    },
    { what: 'the same, of all threads', figure: cpuMsPerEvent, unit: 'ms' },
  ]
}

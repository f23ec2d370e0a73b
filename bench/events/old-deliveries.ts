import { BenchProcess } from '../http/bench-process.ts'
import { median } from '../http/statistics.ts'
import { deliver, subscribe } from './deliver.ts'
import type { Row } from './row.ts'
import { startEventService, type EventService } from './service.ts'

const listRequests = 100

interface OldDeliveriesOptions {
  /** Number of old deliveries of the webhook. */
  oldCount: number
  /** Number of deliveries that are measured in each round. */
  deliveries: number
  rounds: number
}

/**
 * Compares a service whose webhook has many old deliveries with a service whose webhook has none,
 * alternately.
 */
export async function measureOldDeliveries({ oldCount, deliveries, rounds }: OldDeliveriesOptions): Promise<Row[]> {
  await using receiver = await BenchProcess.start('../events/measured-receiver.ts')
  await using freshService = await startEventService()
  await using fullService = await startEventService()
  const sides: Side[] = []
  for (const service of [freshService, fullService]) {
    sides.push({ service, webhook: await subscribe(service, receiver), perSecond: [], listMs: [] })
  }
  await fullService.process.call('addOldDeliveries', oldCount)
  for (let round = -1; round < rounds; round++) {
    for (const { service, webhook, perSecond, listMs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const run = await deliver(service, receiver, deliveries)
      const times = await listTimes(service, webhook)
      if (round < 0) continue
      perSecond.push(run.perSecond)
      listMs.push(median(times))
    }
  }
  const [freshSide, fullSide] = sides
  if (freshSide === undefined || fullSide === undefined) return []
  const ratioOf = (field: 'perSecond' | 'listMs'): number =>
    median(fullSide[field].map((value, round) => value / (freshSide[field][round] ?? Number.NaN)))
  return [
    { what: `deliveries with ${oldCount} old ones`, figure: median(fullSide.perSecond), unit: '/s', target: { atLeast: 1000 } },
    {
      what: `deliveries with ${oldCount} old ones, relative to none`,
      figure: ratioOf('perSecond'),
      unit: 'ratio',
      target: { atLeast: 0.95 },
    },
    { what: `time of the first page of deliveries with ${oldCount} old ones`, figure: median(fullSide.listMs), unit: 'ms' },
    {
      what: `time of the first page of deliveries with ${oldCount} old ones, relative to none`,
      figure: ratioOf('listMs'),
      unit: 'ratio',
    },
  ]
}

interface Side {
  service: EventService
  webhook: string
  perSecond: number[]
  listMs: number[]
}

async function listTimes({ send, keys }: EventService, webhook: string): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < listRequests; count++) {
    const startedAt = performance.now()
    await send('GET', `/v2/webhooks/${webhook}/deliveries?status=delivered&limit=20`, keys[0] ?? '')
    times.push(performance.now() - startedAt)
  }
  return times
}

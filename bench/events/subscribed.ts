import { openLoad } from '../http/load.ts'
import { BenchProcess } from '../http/bench-process.ts'
import { measureOnce } from '../http/rates.ts'
import { submits } from '../http/requests.ts'
import { median } from '../http/statistics.ts'
import { subscribe } from './deliver.ts'
import type { Row } from './row.ts'
import { startEventService } from './service.ts'

const roundSeconds = 1

/**
 * Compares the submits of an account that has a webhook with those of an account that has none,
 * alternately on the same service.
 */
export async function measureSubscribed(rounds: number): Promise<Row[]> {
  await using load = await openLoad(false)
  await using receiver = await BenchProcess.start('../events/measured-receiver.ts')
  await using service = await startEventService({ accounts: 2 })
  // Each measurement ends with the cancellation of its tasks. The webhook receives no such events.
  await subscribe(service, receiver, ['task.completed'])
  const sides = service.keys.map((key) => ({ requests: submits([key]), perSecond: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    for (const { requests, perSecond } of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await measureOnce(service.process, requests, { load: load.load, connections: 64, roundSeconds })
      await service.process.call('cancelAll')
      if (round >= 0) perSecond.push(rate.perSecond)
    }
  }
  const [subscribed = [], unsubscribed = []] = sides.map(({ perSecond }) => perSecond)
  const ratio = median(subscribed.map((rate, round) => rate / (unsubscribed[round] ?? Number.NaN)))
  return [
    { what: 'submits of an account without a webhook', figure: median(unsubscribed), unit: '/s' },
    {
      what: 'submits of an account with a webhook, relative to one without',
      figure: ratio,
      unit: 'ratio',
      target: { atLeast: 0.97 },
    },
  ]
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadJob } from './load-job.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { measureOnce, type RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import { median } from './statistics.ts'
import type { Fact } from './table.ts'

const lookEveryMs = 20

/**
 * Measures end-to-end tasks with a driver that ends at once. Submits last for a while, and the time
 * counts until the last task has ended.
 */
export async function measureWholeLives(
  what: string,
  service: MeasuredProcess,
  requests: readonly RequestText[],
  options: RateOptions,
): Promise<Fact[]> {
  const rates: number[] = []
  const ratios: number[] = []
  // One round to warm up.
  for (let round = -1; round < Math.max(1, options.rounds / 4); round++) {
    const bare = await measureOnce(options.bare, requests, options)
    const rate = await livesPerSecond(service, requests, options)
    if (round < 0) continue
    rates.push(rate)
    ratios.push(rate / bare.perSecond)
  }
  return [
    { what: `whole lives, ${what}`, unit: 'tasks/s', figure: median(rates) },
    { what: `whole lives, ${what}, of the bare POST`, unit: '', figure: median(ratios) },
  ]
}

type LivesOptions = Pick<RateOptions, 'load' | 'connections' | 'roundSeconds'> & Pick<LoadJob, 'requestsMax'>

export async function livesPerSecond(
  service: MeasuredProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds: seconds, requestsMax }: LivesOptions,
): Promise<number> {
  const before = await service.call<number>('ended')
  const startedAt = performance.now()
  const { responses } = await load({ port: service.port, requests, connections, seconds, requestsMax })
  while ((await service.call<number>('ended')) - before < responses) await sleep(lookEveryMs)
  return responses / ((performance.now() - startedAt) / 1000)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredProcess } from './measured-process.ts'
import { measureOnce, type RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import { median } from './statistics.ts'
import type { Fact } from './table.ts'

const lookEveryMs = 20

/**
 * Tasks from their submit to their end, with a driver that is done at once: two commits of steps, a small picture fetched,
 * looked through and stored, and the commit of the end. Submits come for a while, and the time runs until the last has ended.
 */
export async function measureWholeLives(
  service: MeasuredProcess,
  requests: readonly RequestText[],
  options: RateOptions,
): Promise<Fact[]> {
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = -1; round < Math.max(1, options.rounds / 2); round++) {
    const bare = await measureOnce(options.bare, requests, options)
    const before = await service.call<number>('ended')
    const startedAt = performance.now()
    const { answered } = await options.load({
      port: service.port,
      requests,
      connections: options.connections,
      seconds: options.roundSeconds,
    })
    while ((await service.call<number>('ended')) - before < answered) await sleep(lookEveryMs)
    const rate = answered / ((performance.now() - startedAt) / 1000)
    if (round < 0) continue
    rates.push(rate)
    ratios.push(rate / bare.perSecond)
  }
  return [
    { what: 'whole lives, each with a stored picture', unit: 'tasks/s', figure: median(rates) },
    { what: 'whole lives, of the bare POST', unit: '', figure: median(ratios) },
  ]
}

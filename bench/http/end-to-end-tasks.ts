import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadPlan } from './load-plan.ts'
import type { BenchProcess } from './bench-process.ts'
import { measureOnce, type RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import { median } from './statistics.ts'
import type { Fact } from './table.ts'

const pollIntervalMs = 20

/**
 * Measures end-to-end tasks with a driver whose jobs end immediately. Each round measures the time
 * from the first submit until the last task has ended.
 */
export async function measureEndToEnd(
  label: string,
  service: BenchProcess,
  requests: readonly RequestText[],
  options: RateOptions,
): Promise<Fact[]> {
  const rates: number[] = []
  const ratios: number[] = []
  // Round -1 is a warm-up.
  for (let round = -1; round < Math.max(1, options.rounds / 4); round++) {
    const baseline = await measureOnce(options.baseline, requests, options)
    const rate = await measureEndToEndRate(service, requests, options)
    if (round < 0) continue
    rates.push(rate)
    ratios.push(rate / baseline.perSecond)
  }
  return [
    { what: `end-to-end tasks, ${label}`, unit: 'tasks/s', figure: median(rates) },
    { what: `end-to-end tasks, ${label}, relative to the baseline's POST`, unit: '', figure: median(ratios) },
  ]
}

type EndToEndOptions = Pick<RateOptions, 'load' | 'connections' | 'roundSeconds'> & Pick<LoadPlan, 'requestsMax'>

export async function measureEndToEndRate(
  service: BenchProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds: seconds, requestsMax }: EndToEndOptions,
): Promise<number> {
  const endedBefore = await service.call<number>('ended')
  const startedAt = performance.now()
  const { responses } = await load({ port: service.port, requests, connections, seconds, requestsMax })
  while ((await service.call<number>('ended')) - endedBefore < responses) await sleep(pollIntervalMs)
  return responses / ((performance.now() - startedAt) / 1000)
}

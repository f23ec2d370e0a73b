import type { Load } from './load.ts'
import type { LoadResult } from './load-plan.ts'
import type { BenchProcess } from './bench-process.ts'
import type { Figures } from './process-figures.ts'
import type { OtherLoad } from './other-load.ts'
import type { RequestText } from './requests.ts'
import { median } from './statistics.ts'

/** A comparison of a service with the baseline. Both get the same requests, alternately. */
export interface Scenario {
  what: string
  service: BenchProcess
  requests: readonly RequestText[]
  /** Minimum share of the baseline's throughput. */
  target?: number
  /** Callback after each round, the warm-up included. */
  cleanUp?: () => Promise<unknown>
}

export interface Rate {
  perSecond: number
  p50Ms: number
  p99Ms: number
  mainCpuMicros: number
  otherCpuMicros: number
  loopDelayP99Ms: number
}

export interface RateRow {
  what: string
  ours: Rate
  baseline: Rate
  /**
   * Median of the ratios of all rounds. Other load on the machine usually affects both sides of the
   * same round.
   */
  ofBaseline: number
  /** Ratio of the CPU times of the threads that serve HTTP. */
  ofBaselineByCpu: number
  target: number | null
}

export interface RateOptions {
  load: Load
  others: OtherLoad
  baseline: BenchProcess
  rounds: number
  roundSeconds: number
  connections: number
}

export async function measureRates(scenarios: readonly Scenario[], options: RateOptions): Promise<RateRow[]> {
  const measured = scenarios.map((scenario) => ({ scenario, ours: [] as Rate[], baseline: [] as Rate[] }))
  for (let round = -1; round < options.rounds; round++) {
    for (const { scenario, ours, baseline } of measured) {
      const sides = [
        { process: options.baseline, rates: baseline },
        { process: scenario.service, rates: ours },
      ]
      await options.others.waitForIdle()
      // The order alternates between rounds, because the state of the processor after the first
      // side affects the second.
      for (const { process, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
        const rate = await measureOnce(process, scenario.requests, options)
        // Round -1 is a warm-up.
        if (round >= 0) rates.push(rate)
      }
      await scenario.cleanUp?.()
    }
  }
  return measured.map(({ scenario: { what, target = null }, ours, baseline }) => {
    const summary = { ours: combineRates(ours), baseline: combineRates(baseline) }
    return {
      what,
      ours: summary.ours,
      baseline: summary.baseline,
      ofBaseline: median(ours.map((rate, round) => rate.perSecond / (baseline[round]?.perSecond ?? 0))),
      ofBaselineByCpu: summary.baseline.mainCpuMicros / summary.ours.mainCpuMicros,
      target,
    }
  })
}

export async function measureOnce(
  process: BenchProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds: seconds }: Omit<RateOptions, 'baseline' | 'rounds' | 'others'>,
): Promise<Rate> {
  const { figures, result } = await process.measure(() => load({ port: process.port, requests, connections, seconds }))
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.responses} requests failed: ${requests[0]}`)
  return rateOf(result, figures)
}

function rateOf({ responses, seconds, p50Ms, p99Ms }: LoadResult, figures: Figures): Rate {
  return {
    perSecond: responses / seconds,
    p50Ms,
    p99Ms,
    mainCpuMicros: (figures.mainCpuMs / responses) * 1000,
    otherCpuMicros: (figures.otherCpuMs / responses) * 1000,
    loopDelayP99Ms: figures.loopDelayP99Ms,
  }
}

/**
 * Combines the rounds: returns medians, and for CPU times the minimum, because other load on the
 * machine can only increase them.
 */
export function combineRates(rates: readonly Rate[]): Rate {
  const ratesOf = (field: keyof Rate): number[] => rates.map((rate) => rate[field])
  return {
    perSecond: median(ratesOf('perSecond')),
    p50Ms: median(ratesOf('p50Ms')),
    p99Ms: median(ratesOf('p99Ms')),
    mainCpuMicros: Math.min(...ratesOf('mainCpuMicros')),
    otherCpuMicros: Math.min(...ratesOf('otherCpuMicros')),
    loopDelayP99Ms: median(ratesOf('loopDelayP99Ms')),
  }
}

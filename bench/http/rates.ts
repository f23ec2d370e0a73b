import type { Load, LoadResult } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import type { Figures } from './process-figures.ts'
import type { RequestText } from './requests.ts'
import { median } from './statistics.ts'

/** What is measured beside the bare route: the same requests to both, in turns. */
export interface Scenario {
  what: string
  service: MeasuredProcess
  requests: readonly RequestText[]
  /** Of the bare route's rate, at least. */
  target?: number
  /** Between two rounds. */
  tidy?: () => Promise<unknown>
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
  /** Medians over the rounds. */
  ours: Rate
  bare: Rate
  /** The median of each round's own ratio: a noisy moment hits both sides of one round, not one side of all. */
  ofBare: number
  /** The same of the processor time that the serving thread spends on a request: the bare route's to ours. */
  ofBareCpu: number
  target: number | null
}

export interface RateOptions {
  load: Load
  bare: MeasuredProcess
  rounds: number
  roundSeconds: number
  connections: number
}

export async function measureRates(scenarios: readonly Scenario[], options: RateOptions): Promise<RateRow[]> {
  const measured = scenarios.map((scenario) => ({ scenario, ours: [] as Rate[], bare: [] as Rate[] }))
  for (let round = -1; round < options.rounds; round++) {
    for (const { scenario, ours, bare } of measured) {
      const sides = [
        { process: options.bare, rates: bare },
        { process: scenario.service, rates: ours },
      ]
      // Who comes first changes: the second one finds the processor as the first one has left it.
      for (const { process, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
        const rate = await measureOnce(process, scenario.requests, options)
        // Before the first round each side warms up.
        if (round >= 0) rates.push(rate)
      }
      await scenario.tidy?.()
    }
  }
  return measured.map(({ scenario: { what, target = null }, ours, bare }) => ({
    what,
    ours: medianOf(ours),
    bare: medianOf(bare),
    ofBare: median(ours.map((rate, round) => rate.perSecond / (bare[round]?.perSecond ?? 0))),
    ofBareCpu: median(ours.map((rate, round) => (bare[round]?.mainCpuMicros ?? 0) / rate.mainCpuMicros)),
    target,
  }))
}

export async function measureOnce(
  process: MeasuredProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds: seconds }: Omit<RateOptions, 'bare' | 'rounds'>,
): Promise<Rate> {
  const { figures, done } = await process.figuresOf(() => load({ port: process.port, requests, connections, seconds }))
  if (done.failed > 0) throw new Error(`${done.failed} of ${done.answered} requests failed: ${requests[0]}`)
  return rateOf(done, figures)
}

function rateOf({ answered, seconds, p50Ms, p99Ms }: LoadResult, figures: Figures): Rate {
  return {
    perSecond: answered / seconds,
    p50Ms,
    p99Ms,
    mainCpuMicros: (figures.mainCpuMs / answered) * 1000,
    otherCpuMicros: (figures.otherCpuMs / answered) * 1000,
    loopDelayP99Ms: figures.loopDelayP99Ms,
  }
}

function medianOf(rates: readonly Rate[]): Rate {
  const of = (field: keyof Rate): number => median(rates.map((rate) => rate[field]))
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    mainCpuMicros: of('mainCpuMicros'),
    otherCpuMicros: of('otherCpuMicros'),
    loopDelayP99Ms: of('loopDelayP99Ms'),
  }
}

import { openLoad } from '../http/load.ts'
import { BenchProcess } from '../http/bench-process.ts'
import type { ServiceOptions } from '../http/measured-service.ts'
import { measureOnce } from '../http/rates.ts'
import { submits, videoCreates, type RequestText } from '../http/requests.ts'
import { median } from '../http/statistics.ts'

const roundSeconds = 1
const connections = 64

/**
 * A comparison of video creations over the OpenAI-compatible API with submits of the same values.
 */
interface Comparison {
  /** Sides whose requests let the service recognize a retry, so that it creates no second task. */
  protection: string
  creates: readonly RequestText[]
  submits: readonly RequestText[]
}

export interface ComparedRates {
  protection: string
  createsPerSecond: number
  submitsPerSecond: number
  /** Median of the ratios of all rounds. */
  ratio: number
}

/** Compares video creations with submits on the same service, alternately. */
export async function measureVideoCreates(rounds: number): Promise<ComparedRates[]> {
  await using load = await openLoad(false)
  const options: ServiceOptions = { driver: 'none', inFlightMax: 0, accounts: 1 }
  await using service = await BenchProcess.start('measured-service.ts', options)
  const keys = await service.call<string[]>('keys')
  const measure = async (requests: readonly RequestText[]): Promise<number> => {
    const { perSecond } = await measureOnce(service, requests, { load: load.load, connections, roundSeconds })
    await service.call('cancelAll')
    return perSecond
  }
  const measured = comparisonsOf(keys).map((comparison) => ({ comparison, rates: [] as { creates: number; submits: number }[] }))
  for (let round = -1; round < rounds; round++) {
    for (const { comparison, rates } of measured) {
      const rate = { creates: 0, submits: 0 }
      for (const side of round % 2 === 0 ? (['creates', 'submits'] as const) : (['submits', 'creates'] as const)) {
        rate[side] = await measure(comparison[side])
      }
      // Round -1 is a warm-up.
      if (round >= 0) rates.push(rate)
    }
  }
  return measured.map(({ comparison: { protection }, rates }) => ({
    protection,
    createsPerSecond: median(rates.map(({ creates }) => creates)),
    submitsPerSecond: median(rates.map(({ submits }) => submits)),
    ratio: median(rates.map(({ creates, submits }) => creates / submits)),
  }))
}

function comparisonsOf(keys: readonly string[]): Comparison[] {
  const protectedCreates = videoCreates(keys, { countsRetries: true })
  return [
    { protection: 'on neither side', creates: videoCreates(keys, { countsRetries: false }), submits: submits(keys) },
    { protection: 'on both sides', creates: protectedCreates, submits: submits(keys, { withIdempotencyKey: true }) },
    { protection: 'of the creations only', creates: protectedCreates, submits: submits(keys) },
  ]
}

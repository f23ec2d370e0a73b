import { openLoad } from '../http/load.ts'
import { MeasuredProcess } from '../http/measured-process.ts'
import type { ServiceOptions } from '../http/measured-service.ts'
import { measureOnce } from '../http/rates.ts'
import { submits, videoCreates } from '../http/requests.ts'
import { median } from '../http/statistics.ts'

const roundSeconds = 1
const connections = 64

/** Throughput of video creations over the OpenAI-compatible API, and of submits with the same values. */
export interface VideoCreates {
  createsPerSecond: number
  submitsPerSecond: number
  /** Median of the ratios of all rounds. */
  ratio: number
}

/** Compares video creations with submits on the same service, in alternating rounds. */
export async function measureVideoCreates(rounds: number): Promise<VideoCreates> {
  await using load = await openLoad(false)
  const options: ServiceOptions = { driver: 'none', inFlightMax: 0, accounts: 1 }
  await using service = await MeasuredProcess.start('measured-service.ts', options)
  const keys = await service.call<string[]>('keys')
  const creates = { requests: videoCreates(keys), perSecond: [] as number[] }
  const taskSubmits = { requests: submits(keys), perSecond: [] as number[] }
  for (let round = -1; round < rounds; round++) {
    const sides = [creates, taskSubmits]
    for (const { requests, perSecond } of round % 2 === 0 ? sides : sides.toReversed()) {
      const rate = await measureOnce(service, requests, { load: load.load, connections, roundSeconds })
      await service.call('cancelAll')
      if (round >= 0) perSecond.push(rate.perSecond)
    }
  }
  return {
    createsPerSecond: median(creates.perSecond),
    submitsPerSecond: median(taskSubmits.perSecond),
    ratio: median(creates.perSecond.map((rate, round) => rate / (taskSubmits.perSecond[round] ?? Number.NaN))),
  }
}

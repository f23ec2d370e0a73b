import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredProcess } from './measured-process.ts'
import type { RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import type { Fact } from './table.ts'

const lookEveryMs = 100
const tasks = 10_000

/** What tasks under way take of memory: submitted over HTTP, claimed, started, and polled by the dispatcher. */
export async function measureTasksInFlight(
  service: MeasuredProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds }: RateOptions,
): Promise<Fact[]> {
  const before = await service.call<number>('memoryMb')
  let submitted = 0
  while (submitted < tasks) {
    const { answered } = await load({ port: service.port, requests, connections, seconds: roundSeconds })
    submitted += answered
  }
  while ((await service.call<number>('processing')) < submitted) await sleep(lookEveryMs)
  const grown = (await service.call<number>('memoryMb')) - before
  return [{ what: `memory of ${tasks} tasks in flight`, unit: 'MB', figure: (grown / submitted) * tasks, target: '< 150' }]
}

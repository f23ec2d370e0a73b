import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredProcess } from './measured-process.ts'
import type { Memory } from './measured-service.ts'
import type { RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import type { Fact } from './table.ts'

const lookIntervalMs = 100
const tasks = 10_000

/**
 * Measures the memory of tasks in flight: submitted over HTTP, claimed, started, and polled by the
 * dispatcher.
 */
export async function measureTasksInFlight(
  service: MeasuredProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds }: RateOptions,
): Promise<Fact[]> {
  const before = await service.call<Memory>('memoryMb')
  let submitted = 0
  while (submitted < tasks) {
    const { responses } = await load({ port: service.port, requests, connections, seconds: roundSeconds })
    submitted += responses
  }
  while ((await service.call<number>('processing')) < submitted) await sleep(lookIntervalMs)
  const after = await service.call<Memory>('memoryMb')
  const grown = ((after.kept - before.kept) / submitted) * tasks
  return [
    { what: `memory of ${tasks} tasks in flight`, unit: 'MB', figure: grown, target: '< 150' },
    { what: `the whole process right after ${submitted} submits, garbage included`, unit: 'MB', figure: after.asItStands },
  ]
}

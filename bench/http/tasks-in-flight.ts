import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchProcess } from './bench-process.ts'
import type { Memory } from './measured-service.ts'
import type { RateOptions } from './rates.ts'
import type { RequestText } from './requests.ts'
import type { Fact } from './table.ts'

const pollIntervalMs = 100
const tasks = 10_000

/**
 * Measures the memory of tasks in flight. The tasks are submitted over HTTP, and the dispatcher
 * claims, starts and polls them.
 */
export async function measureTasksInFlight(
  service: BenchProcess,
  requests: readonly RequestText[],
  { load, connections, roundSeconds }: RateOptions,
): Promise<Fact[]> {
  const memoryBefore = await service.call<Memory>('memoryMb')
  let submitted = 0
  while (submitted < tasks) {
    const { responses } = await load({ port: service.port, requests, connections, seconds: roundSeconds })
    submitted += responses
  }
  while ((await service.call<number>('processing')) < submitted) await sleep(pollIntervalMs)
  const memoryAfter = await service.call<Memory>('memoryMb')
  const growthMb = ((memoryAfter.afterCollection - memoryBefore.afterCollection) / submitted) * tasks
  return [
    { what: `memory of ${tasks} tasks in flight`, unit: 'MB', figure: growthMb, target: '< 150' },
    {
      what: `memory of the process right after ${submitted} submits, including garbage`,
      unit: 'MB',
      figure: memoryAfter.beforeCollection,
    },
  ]
}

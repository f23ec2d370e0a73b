import { setTimeout as sleep } from 'node:timers/promises'
import { BenchProcess } from '../http/bench-process.ts'
import type { Memory } from '../http/measured-service.ts'
import type { OpenStreams, StreamedEvents } from './measured-streams.ts'
import type { Row } from './row.ts'
import { startEventService } from './service.ts'

const tasksPath = '/v2/model-center/tasks'
const tasks = 1_000
const endedTasks = 10
const settledMs = 2_000
/**
 * Number of streams of each kind that are opened before the measurement, to load code and create
 * prepared statements. The number of streams that is passed to `measureStreams` includes them.
 */
const warmUpStreams = 10
const waitMsMax = 60_000

/**
 * Opens event streams: half of them follow one task each, and half follow the account. Measures
 * their memory, and the time until every stream has received the ends of the tasks that it follows.
 */
export async function measureStreams(count: number): Promise<Row[]> {
  await using service = await startEventService()
  await using client = await BenchProcess.start('../events/measured-streams.ts')
  const [key = ''] = service.keys
  const ids = await service.process.call<string[]>('run', tasks)
  const openStreams = (paths: string[], streamCount: number): Promise<number> =>
    client.call('open', { port: service.process.port, key, paths, count: streamCount } satisfies OpenStreams)
  await openStreams([`${tasksPath}/${ids[0]}/events`], warmUpStreams)
  await openStreams(['/v2/events'], warmUpStreams)
  await sleep(settledMs)
  const memoryBefore = await service.process.call<Memory>('memoryMb')
  const half = count / 2
  const startedAt = performance.now()
  await openStreams(
    ids.map((id) => `${tasksPath}/${id}/events`),
    half - warmUpStreams,
  )
  await openStreams(['/v2/events'], half - warmUpStreams)
  const openMs = performance.now() - startedAt
  await sleep(settledMs)
  const during = await service.process.call<Memory>('memoryMb')

  // Each task stream begins with an event. Account streams receive the ends of all tasks.
  const { count: eventsBefore } = await client.call<StreamedEvents>('streamed')
  const endedIds = ids.slice(1, 1 + endedTasks)
  const taskIndexes = Array.from({ length: half - warmUpStreams }, (_, index) => index % tasks).filter(
    (index) => index >= 1 && index <= endedTasks,
  )
  const expected = eventsBefore + endedTasks * half + taskIndexes.length
  const endedAtMs = Date.now()
  await service.process.call('complete', endedIds)
  const streamed = await untilStreamed(client, expected)
  return [
    {
      what: `memory of ${count} open streams`,
      figure: during.afterCollection - memoryBefore.afterCollection,
      unit: 'MB',
      target: { atMost: 250 },
    },
    {
      what: `memory of ${count} open streams, including garbage that is not collected yet`,
      figure: during.beforeCollection - memoryBefore.afterCollection,
      unit: 'MB',
    },
    { what: 'streams opened per second', figure: ((count - 2 * warmUpStreams) / openMs) * 1000, unit: '/s' },
    {
      what: `${endedTasks} tasks end: time until the last of ${expected - eventsBefore} events has arrived`,
      figure: streamed.lastAtMs - endedAtMs,
      unit: 'ms',
    },
  ]
}

async function untilStreamed(client: BenchProcess, expected: number): Promise<StreamedEvents> {
  const untilMs = Date.now() + waitMsMax
  for (;;) {
    const streamed = await client.call<StreamedEvents>('streamed')
    if (streamed.count >= expected) return streamed
    if (Date.now() > untilMs) throw new Error(`${streamed.count} of ${expected} events have arrived`)
    await sleep(50)
  }
}

import { expect, it } from 'vitest'
import { createTaskIds, taskNoOf } from '../../identity/task-id.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ConnectionPool } from './connections.ts'
import { WatchList } from './watch-list.ts'

it('every watched task is polled in turn if more tasks are watched than one poll reads', async () => {
  const reads: number[][] = []
  const watchList = new WatchList({
    read: async ({ values: [nos] }: { values: [number[]] }) => {
      reads.push(nos)
      return []
    },
  } as unknown as ConnectionPool)
  const createId = createTaskIds(systemClock)
  const ids = Array.from({ length: 12_000 }, () => createId())
  watchList.add(new Map(ids.slice(0, 7_000).map((id) => [id, null])))
  watchList.add(new Map(ids.slice(7_000).map((id) => [id, null])))
  for (let poll = 0; poll < 3; poll++) await watchList.poll()
  expect(new Set(reads.flat())).toEqual(new Set(ids.map(taskNoOf)))
  for (const nos of reads) expect(nos.length).toBeLessThanOrEqual(5_000)
})

import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { openTestStore } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('what processes of one installation know of each other', () => {
  let url: string
  let opened: PostgresStore[]
  const warnings: Error[] = []
  const noteWarning = (warning: Error) => warnings.push(warning)
  beforeAll(() => process.on('warning', noteWarning))
  // pg warns once of what it is going to refuse, whichever test it was.
  afterAll(() => {
    process.off('warning', noteWarning)
    expect(warnings).toEqual([])
  })
  beforeEach(async () => {
    url = await newDatabase()
    opened = []
  })
  afterEach(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
  })

  async function open(): Promise<PostgresStore> {
    const store = await openTestStore(url)
    opened.push(store)
    return store
  }

  it('how many work, and which of them each is', async () => {
    const [first, second, other] = [await open(), await open(), await open()]
    await first.joinWorkers()
    expect(first.workers).toEqual({ count: 1, rank: 0 })
    await second.joinWorkers()
    await vi.waitFor(() => expect(first.workers.count).toBe(2))
    expect(new Set([first.workers.rank, second.workers.rank])).toEqual(new Set([0, 1]))
    expect(other.workers).toEqual({ count: 1, rank: 0 })
    await first[Symbol.asyncDispose]()
    await vi.waitFor(() => expect(second.workers).toEqual({ count: 1, rank: 0 }))
  })

  it('that an upstream has news of an attempt, whoever was told', async () => {
    const [told, working] = [await open(), await open()]
    const heard: string[] = []
    working.onNews((attemptId) => heard.push(attemptId))
    for (let number = 1; number <= 250; number++) told.tellNews(`task_01_${number}`)
    await vi.waitFor(() => expect(heard).toHaveLength(250))
    expect(new Set(heard).size).toBe(250)
  })

  it('without asking two things of one connection at once', async () => {
    const [busy, other] = [await open(), await open()]
    const heard: string[] = []
    other.onNews((attemptId) => heard.push(attemptId))
    busy.tellNews('task_01_1')
    await Promise.all([
      busy.joinWorkers(),
      ...Array.from({ length: 10 }, async (_, number) => {
        await setTimeout(2 * number)
        busy.tellNews(`task_02_${number}`)
        busy.hear('{"workers":true}')
      }),
    ])
    await vi.waitFor(() => expect(heard).toHaveLength(11))
  })
})

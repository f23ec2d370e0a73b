import { afterEach, expect, it, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { startRetention } from './retention.ts'

const hourMs = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

it('leftovers of uploads that began more than a day ago are removed once an hour', async () => {
  vi.useFakeTimers({ now: 1_000 * hourMs })
  const startedBeforeLimitsMs: number[] = []
  const store = { listExpiredResults: async () => [], markResultsRemoved: async () => {} }
  const mediaStore = {
    remove: async () => {},
    removeLeftovers: async (startedBeforeMs: number) => startedBeforeLimitsMs.push(startedBeforeMs),
  }
  const retention = startRetention({
    store,
    mediaStore,
    assets: { sweep: async () => {}, uploads: { sweep: async () => {} } },
    prompts: { sweep: async () => {}, removeWithResults: async () => {} },
    tasks: { sweep: async () => {} },
    webhooks: { sweep: async () => {} },
    completeDeletions: async () => {},
    clock: Date.now,
    logger: createLogger('silent'),
  })
  await vi.advanceTimersByTimeAsync(2.5 * hourMs)
  await retention[Symbol.asyncDispose]()
  expect(startedBeforeLimitsMs.map((ms) => ms / hourMs)).toEqual([976, 977, 978])
})

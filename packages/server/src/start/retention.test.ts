import { afterEach, expect, it, vi } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { startRetention } from './retention.ts'

const hourMs = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** Starts the retention with a media store that records the limits of its removals of leftovers. */
function startLeftoverRemoval() {
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
  return { startedBeforeLimitsMs, retention }
}

it('leftovers of uploads that began more than a day ago are removed once an hour', async () => {
  const { startedBeforeLimitsMs, retention } = startLeftoverRemoval()
  await vi.advanceTimersByTimeAsync(2.5 * hourMs)
  await retention[Symbol.asyncDispose]()
  expect(startedBeforeLimitsMs.map((ms) => ms / hourMs)).toEqual([976, 977, 978])
})

it('leftovers of uploads are removed soon after the clock was set back by days', async () => {
  const { startedBeforeLimitsMs, retention } = startLeftoverRemoval()
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(900 * hourMs)
  await vi.advanceTimersByTimeAsync(1.5 * hourMs)
  await retention[Symbol.asyncDispose]()
  expect(startedBeforeLimitsMs.map((ms) => Math.floor(ms / hourMs))).toEqual([976, 876, 877])
})

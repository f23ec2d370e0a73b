import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PoolState } from '../db/task-queue.ts'
import { UpstreamThrottled } from '../drivers/upstream/retry-after.ts'
import type { Logger } from '../lib/logger.ts'
import { PoolWatch } from './pool-watch.ts'

const pool = 3
const openState: PoolState = {
  no: pool,
  inFlight: 1,
  unconfirmed: 1,
  pausedUntilMs: 0,
  unconfirmedMax: null,
  refusals: 0,
  condition: 'open',
}

let watch: PoolWatch
let nowMs: number
let messages: string[]
let changes: string[]
/** Completes the commit of a pool change. */
let commit: () => void

beforeEach(() => {
  nowMs = 1_000
  messages = []
  changes = []
  const committed = new Promise<void>((resolve) => (commit = resolve))
  const log = (_fields: unknown, message: string): void => void messages.push(message)
  watch = new PoolWatch({
    store: {
      changePool: (_pool, { kind }) => {
        changes.push(kind)
        return committed
      },
      readPools: async () => [openState],
    },
    clock: () => nowMs,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a logger is
    // used
    logger: { info: log, warn: log } as unknown as Logger,
    namesOf: () => ({}),
    onRead: () => {},
  })
})
afterEach(() => {
  watch[Symbol.dispose]()
  vi.restoreAllMocks()
})

it('pauses of two pools that begin at the same time end at different times, because of random delay', async () => {
  commit()
  vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.99)
  for (const no of [pool, 4]) await watch.pause(no, { condition: 'throttled', retryAfterMs: 10_000 }, 'HTTP 429')
  expect([pool, 4].map((no) => watch.slotsOf(no).state.pausedUntilMs)).toEqual([11_000, 12_980])
})

it('a probe with a Retry-After response is not repeated sooner, and does not pause a pool that is open', async () => {
  const throttledProbe = vi.fn(() => Promise.reject(new UpstreamThrottled('HTTP 429', 60_000)))
  watch.observe([{ ...openState, refusals: 1, condition: 'unavailable' }])
  const slots = watch.slotsOf(pool)
  watch.probeIfDue(slots, () => throttledProbe)
  await vi.waitUntil(() => slots.isPaused(60_999), { timeout: 10_000 })
  watch.probeIfDue(slots, () => throttledProbe)
  commit()

  watch.observe([{ ...openState, no: 4 }])
  const openSlots = watch.slotsOf(4)
  watch.confirmOutOfOrder(openSlots, throttledProbe)
  await sleep(10)
  watch.confirmOutOfOrder(openSlots, throttledProbe)
  expect(throttledProbe).toHaveBeenCalledTimes(2)
  expect([openSlots.state.condition, openSlots.isPaused(1_000)]).toEqual(['open', false])
})

it('a probe is sent again after the clock was set back by an hour, although an earlier probe got a Retry-After', async () => {
  nowMs = 10_000_000
  const throttledProbe = vi.fn(() => Promise.reject(new UpstreamThrottled('HTTP 429', 60_000)))
  const slots = watch.slotsOf(pool)
  watch.observe([openState])
  watch.confirmOutOfOrder(slots, throttledProbe)
  await sleep(10)
  nowMs -= 3_600_000
  watch.confirmOutOfOrder(slots, throttledProbe)
  expect(throttledProbe).toHaveBeenCalledTimes(2)
})

it('a pause that is not committed yet is not overwritten by a state that was read before it, and is logged once', async () => {
  const pausing = watch.pause(pool, { condition: 'unavailable', retryAfterMs: null }, 'HTTP 404')
  watch.observe([openState])
  const slots = watch.slotsOf(pool)
  expect([slots.state.condition, slots.isPaused(1_500)]).toEqual(['unavailable', true])
  commit()
  await pausing
  watch.observe([{ ...openState, pausedUntilMs: 2_000, unconfirmedMax: 1, refusals: 1, condition: 'unavailable' }])
  expect(messages).toEqual(['submits are paused'])
  watch.observe([openState])
  expect(messages).toEqual(['submits are paused', 'submits are accepted again'])
})

it('a refusal during a pause neither shortens the pause nor lowers its severity', async () => {
  watch.observe([{ ...openState, pausedUntilMs: 60_000, unconfirmedMax: 1, refusals: 3, condition: 'out_of_order' }])
  commit()
  await watch.pause(pool, { condition: 'throttled', retryAfterMs: 1_000 }, 'HTTP 429')
  const { pausedUntilMs, refusals, condition } = watch.slotsOf(pool).state
  expect([pausedUntilMs, condition]).toEqual([60_000, 'out_of_order'])
  expect(refusals).toBeGreaterThanOrEqual(3)
})

it('endLocalPause ends the pause that failures in this process caused, but no later pause by another process', async () => {
  commit()
  const slots = watch.slotsOf(pool)
  await watch.pause(pool, { condition: 'unavailable', retryAfterMs: null }, 'HTTP 401')
  const localState = { ...slots.state, no: pool }

  watch.observe([{ ...localState, pausedUntilMs: localState.pausedUntilMs + 1 }])
  await watch.endLocalPause(slots)
  expect(changes).toEqual(['pause'])

  watch.observe([localState])
  await watch.endLocalPause(slots)
  expect(changes).toEqual(['pause', 'reopen'])
})

it('endLocalPause does not end a pause that the provider has requested', async () => {
  commit()
  await watch.pause(pool, { condition: 'unavailable', retryAfterMs: null }, 'HTTP 401')
  await watch.pause(pool, { condition: 'throttled', retryAfterMs: 60_000 }, 'HTTP 429')
  await watch.endLocalPause(watch.slotsOf(pool))
  expect(changes).toEqual(['pause', 'pause'])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Durations } from '../routing/durations.ts'
import { isOverdue, pollDelayMs } from './poll-delay.ts'

const minMs = 2_000
const minuteMs = 60_000
const noJitter = 0.5

describe('the poll delay', () => {
  it('the poll delay is a tenth of the elapsed time, within bounds, while no duration is known', () => {
    const delays = [0, 50_000, 600_000].map((elapsedMs) => pollDelayMs(elapsedMs, { minMs, expected: null }, noJitter))
    expect(delays).toEqual([2_000, 5_000, 10_000])
  })

  it('the poll delay is long before the expected end, short around it, and grows after it', () => {
    const expected = { shortestMs: minuteMs, p90Ms: 80_000 }
    const delay = (elapsedMs: number) => pollDelayMs(elapsedMs, { minMs, expected }, noJitter)
    expect([delay(0), delay(40_000)]).toEqual([10_000, 10_000])
    expect([delay(50_000), delay(minuteMs), delay(80_000)]).toEqual([8_000, 8_000, 8_000])
    expect(delay(120_000)).toBe(22_000)
    expect(delay(60 * minuteMs)).toBe(minuteMs)
    expect([isOverdue(150_000, expected), isOverdue(170_000, expected), isOverdue(1e9, null)]).toEqual([false, true, false])
  })

  it('the poll delay is at least its minimum less a tenth, and at most a minute plus a tenth', () => {
    fc.assert(
      fc.property(
        fc.nat(1e9),
        fc.option(fc.tuple(fc.nat(1e7), fc.nat(1e7))),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (elapsedMs, durations, random) => {
          const [shortestMs = 0, p90Ms = 0] = (durations ?? []).toSorted((a, b) => a - b)
          const expected = durations === null ? null : { shortestMs, p90Ms }
          const delay = pollDelayMs(elapsedMs, { minMs, expected }, random)
          expect(delay).toBeGreaterThanOrEqual(minMs * 0.9)
          expect(delay).toBeLessThanOrEqual(minuteMs * 1.1)
        },
      ),
    )
  })
})

describe('expected durations', () => {
  it('no duration is expected before three durations were recorded', () => {
    const durations = new Durations()
    durations.add(1)
    durations.add(2)
    expect(durations.predict()).toBeNull()
    durations.add(3)
    expect(durations.predict()).toEqual({ shortestMs: 1, p90Ms: 3 })
  })

  it('short durations stay in the prediction although many longer ones are recorded after them', () => {
    const durations = new Durations()
    for (let durationMs = 1; durationMs <= 400; durationMs++) durations.add(durationMs)
    expect(durations.predict()?.shortestMs).toBeLessThan(200)
  })

  it('the expected duration follows a provider that becomes slower', () => {
    const durations = new Durations()
    for (let i = 0; i < 200; i++) durations.add(10)
    for (let i = 0; i < 4_000; i++) durations.add(1_000)
    expect(durations.predict()).toEqual({ shortestMs: 1_000, p90Ms: 1_000 })
  })
})

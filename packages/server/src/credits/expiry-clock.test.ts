import { expect, it } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { ExpiryClock } from './expiry-clock.ts'

const [minuteMs, hourMs, dayMs, yearMs] = [60_000, 3_600_000, 86_400_000, 365 * 86_400_000]
const startMs = Date.UTC(2026, 10, 23)

function openClock(newestRecordMs: number | null = startMs) {
  let [monotonicMs, aheadMs] = [5_000, 0]
  const clock = new ExpiryClock({
    clock: () => startMs + monotonicMs - 5_000 + aheadMs,
    monotonicMs: () => monotonicMs,
    newestRecordMs,
    logger: createLogger('silent'),
  })
  return {
    clock,
    pass: (ms: number) => void (monotonicMs += ms),
    setAhead: (ms: number) => void (aheadMs = ms),
    sinceStart: () => clock.now() - startMs,
  }
}

it('an expiry clock follows the system clock while the system clock is correct', () => {
  const { clock, pass, setAhead, sinceStart } = openClock()
  pass(hourMs)
  setAhead(30_000)
  expect([sinceStart(), clock.isFrozen, clock.jumpCount]).toEqual([hourMs + 30_000, false, 0])
})

it('after a jump of a year, an expiry clock continues from the time before the jump until the system clock is correct', () => {
  const { clock, pass, setAhead, sinceStart } = openClock()
  setAhead(yearMs)
  expect([sinceStart(), clock.isFrozen, clock.jumpCount]).toEqual([0, true, 1])
  pass(minuteMs)
  expect(sinceStart()).toBe(minuteMs)
  setAhead(0)
  expect([sinceStart(), clock.isFrozen, clock.jumpCount]).toEqual([minuteMs, false, 2])
})

it('an expiry clock follows a jump of an hour after an hour, and a jump of a year after a day', () => {
  for (const [jumpMs, frozenMs] of [
    [hourMs, hourMs],
    [yearMs, dayMs],
  ] as const) {
    const { clock, pass, setAhead, sinceStart } = openClock()
    setAhead(jumpMs)
    expect(sinceStart()).toBe(0)
    pass(frozenMs - 1)
    expect([sinceStart(), clock.isFrozen]).toEqual([frozenMs - 1, true])
    pass(1)
    expect([sinceStart(), clock.isFrozen]).toEqual([frozenMs + jumpMs, false])
  }
})

it('an expiry clock waits for a day after a jump of a year that follows one of an hour', () => {
  const { clock, pass, setAhead, sinceStart } = openClock()
  setAhead(hourMs)
  expect(sinceStart()).toBe(0)
  pass(hourMs / 2)
  setAhead(hourMs + yearMs)
  expect(sinceStart()).toBe(hourMs / 2)
  pass(hourMs)
  expect([sinceStart(), clock.isFrozen]).toEqual([1.5 * hourMs, true])
  pass(dayMs - hourMs)
  expect([sinceStart(), clock.isFrozen]).toEqual([dayMs + 1.5 * hourMs + yearMs, false])
})

it('an expiry clock immediately follows a system clock that is set back', () => {
  const { clock, setAhead, sinceStart } = openClock()
  setAhead(-hourMs)
  expect([sinceStart(), clock.isFrozen, clock.jumpCount]).toEqual([-hourMs, false, 1])
})

it('an expiry clock that starts a year after the newest record waits an hour, and reports records from the future', () => {
  const late = openClock(startMs - yearMs)
  expect([late.sinceStart(), late.clock.isFrozen]).toEqual([-yearMs, true])
  late.pass(hourMs)
  expect([late.sinceStart(), late.clock.isFrozen]).toEqual([hourMs, false])
  const early = openClock(startMs + yearMs)
  expect([early.sinceStart(), early.clock.isFrozen, early.clock.jumpCount]).toEqual([0, false, 1])
})

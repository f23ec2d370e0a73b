import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { repeatAligned } from './repeat-aligned.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns how many milliseconds after the start the task ran. */
function recordRuns(intervalMs: number, startMs: number): { atMs: number[]; repetition: Disposable } {
  const atMs: number[] = []
  return { atMs, repetition: repeatAligned(() => atMs.push(performance.now() - startMs), intervalMs) }
}

it('repeated tasks that were started at different times run at the same times', () => {
  const startMs = performance.now()
  const runs: number[][] = []
  for (const delayMs of [0, 30, 70]) {
    vi.advanceTimersByTime(delayMs)
    runs.push(recordRuns(200, startMs).atMs)
  }
  const half = recordRuns(100, startMs)
  vi.advanceTimersByTime(1_000)
  const [first = []] = runs
  for (const later of runs) expect(first.slice(-3)).toEqual(later.slice(-3))
  expect(half.atMs).toEqual(expect.arrayContaining(first.slice(-3)))
})

it('a repeated task runs once per interval, even after the process has stalled, and never after its disposal', () => {
  const startMs = performance.now()
  const { atMs, repetition } = recordRuns(250, startMs)
  vi.advanceTimersByTime(1_500)
  expect(atMs).toHaveLength(6)
  repetition[Symbol.dispose]()
  vi.advanceTimersByTime(1_000)
  expect(atMs).toHaveLength(6)
})

it('a repeated task that disposes its own repetition does not run again', () => {
  let runs = 0
  const repetition = repeatAligned(() => {
    runs += 1
    repetition[Symbol.dispose]()
  }, 100)
  vi.advanceTimersByTime(1_000)
  expect(runs).toBe(1)
})

import { expect, it } from 'vitest'
import { timelineBars } from './timeline-bars.ts'

it('a timeline has a bar for each attempt and each wait before one, in seconds since the task was accepted', () => {
  const { bars, seconds } = timelineBars(
    [
      { event: 'accepted', at: 100 },
      { event: 'held', at: 100, amount: 1 },
      { event: 'attempt_started', at: 102, attempt: 1, route: 'a' },
      { event: 'attempt_ended', at: 103, attempt: 1, outcome: 'not_accepted' },
      { event: 'attempt_started', at: 105, attempt: 2, route: 'b' },
      { event: 'attempt_ended', at: 109, attempt: 2, outcome: 'succeeded' },
      { event: 'completed', at: 110 },
      { event: 'charged', at: 110, amount: 1 },
    ],
    200,
  )
  expect(seconds).toBe(10)
  expect(bars.map(({ kind, from, to, outcome }) => [kind, from, to, outcome])).toEqual([
    ['wait', 0, 2, undefined],
    ['attempt', 2, 3, 'not_accepted'],
    ['wait', 3, 5, undefined],
    ['attempt', 5, 9, 'succeeded'],
  ])
})

it('the bar of a running attempt or wait ends at the current time', () => {
  const running = timelineBars(
    [
      { event: 'accepted', at: 100 },
      { event: 'attempt_started', at: 101, attempt: 1 },
    ],
    104,
  )
  expect(running.bars.at(-1)).toMatchObject({ kind: 'attempt', from: 1, to: 4 })
  const waiting = timelineBars(
    [
      { event: 'accepted', at: 100 },
      { event: 'waiting', at: 103, for: 'free_slot' },
    ],
    103,
  )
  expect(waiting.bars).toMatchObject([{ kind: 'wait', from: 0, to: 3 }])
})

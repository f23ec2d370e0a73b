import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from './take-turns.ts'

it('runs so many at a time, in order, and goes on after a failure', async () => {
  const inTurn = createTurns(2)
  let running = 0
  let runningMost = 0
  const finished: number[] = []
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((number) =>
      inTurn(async () => {
        runningMost = Math.max(runningMost, ++running)
        await turn()
        running--
        if (number === 2) throw new Error('the second fails')
        finished.push(number)
      }),
    ),
  )
  expect(runningMost).toBe(2)
  expect(finished).toEqual([1, 3, 4, 5, 6])
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true])
})

import { expect, it } from 'vitest'
import type { Rate } from './rates.ts'
import { rateTable } from './table.ts'

const rate: Rate = { perSecond: 1, p50Ms: 1, p99Ms: 1, mainCpuMicros: 1, otherCpuMicros: 1, loopDelayP99Ms: 1 }

it('the titles of the rate table are separated by spaces, and end where the figures of their columns end', () => {
  const row = { what: 'submit', ours: rate, baseline: rate, ofBaseline: 1, ofBaselineByCpu: 1, target: 0.6 }
  const [titles = '', figures = ''] = rateTable([row]).split('\n')
  expect(endsOf(titles)).toEqual(endsOf(figures.slice('submit'.length).padStart(figures.length)))
})

/** Returns the positions at which the cells of a line end. Two spaces or more separate cells. */
function endsOf(line: string): number[] {
  return Array.from(line.matchAll(/\S(?= {2}|$)/g), ({ index }) => index)
}

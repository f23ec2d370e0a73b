import { expect, it } from 'vitest'
import type { RouteCost } from './configuration/definitions.ts'
import { costOfFailedJob, costOfJob, type FinishedJob } from './route-cost.ts'

const freeOfCost: RouteCost = { perSecond: 0, perImage: 0, perTask: 0, perUnit: 0 }
const usd = { amount: 0.25, unit: 'usd' }

it.each<[string, Partial<RouteCost> | null, Partial<FinishedJob>, number | null]>([
  ['the rate of a video for its seconds', { perSecond: 0.1 }, { seconds: 7.5 }, 750_000],
  ['the rate of an image', { perSecond: 0.1, perImage: 0.03 }, { object: 'image', seconds: null }, 30_000],
  ['the rate of an image for each image', { perImage: 0.03 }, { object: 'image', results: 4, seconds: null }, 120_000],
  ['the sum of its parts', { perSecond: 0.1, perTask: 0.5 }, { seconds: 5 }, 1_000_000],
  ['the amount that the upstream reports', { perUnit: 100 }, { reported: usd }, 25_000_000],
  ['nothing on a free route', {}, {}, 0],
  ['an amount rounded to a micro-credit', { perSecond: 0.0000001 }, { seconds: 7 }, 1],
  ['an unknown amount without a cost of the route', null, { reported: usd }, null],
  ['an unknown amount without the seconds', { perSecond: 0.1 }, { seconds: null }, null],
  ['an unknown amount without a report', { perUnit: 100 }, { reported: null }, null],
  ['an unknown amount if the report is negative', { perUnit: 100 }, { reported: { amount: -1, unit: 'usd' } }, null],
  [
    'an unknown amount if the reported cost is above the maximum',
    { perUnit: 100 },
    { reported: { amount: 1e11, unit: 'usd' } },
    null,
  ],
  ['an unknown amount if the reported cost is not finite', { perUnit: 100 }, { reported: { amount: 1e308, unit: 'usd' } }, null],
  [
    'the other rates if the report is invalid and the route has no rate per unit',
    { perTask: 2 },
    { reported: { amount: 1e308, unit: 'usd' } },
    2_000_000,
  ],
])('a completed job costs %s', (_, cost, jobFields, expected) => {
  const job: FinishedJob = { object: 'video', results: 1, seconds: 5, reported: null, ...jobFields }
  expect(costOfJob(cost && { ...freeOfCost, ...cost }, job)).toBe(expected)
})

it('a job that failed costs nothing, unless its upstream reports a cost', () => {
  expect(costOfFailedJob({ ...freeOfCost, perTask: 1 }, null)).toBe(0)
  expect(costOfFailedJob(null, null)).toBe(0)
  expect(costOfFailedJob({ ...freeOfCost, perUnit: 2 }, usd)).toBe(500_000)
  expect(costOfFailedJob({ ...freeOfCost, perTask: 1 }, usd)).toBe(null)
  expect(costOfFailedJob(null, { amount: 0, unit: 'usd' })).toBe(0)
  expect(costOfFailedJob({ ...freeOfCost, perUnit: 2 }, { amount: -1, unit: 'usd' })).toBe(null)
  expect(costOfFailedJob({ ...freeOfCost, perUnit: 2 }, { amount: 1e11, unit: 'usd' })).toBe(null)
})

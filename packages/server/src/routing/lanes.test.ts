import { expect, it } from 'vitest'
import { laneNoOf, laneNoOfRemaining, lanesOfRemaining } from './lanes.ts'
import { Route } from './route.ts'
import { Slots } from './slots.ts'

function createRoutes(count: number): Route[] {
  const upstream = { name: 'main', key: '', slots: new Slots(1, 10) }
  const shared = { upstream, target: null, priority: 0, weight: 1, deferMaxMs: 0, deadlineMs: null, probe: null, forwards: false }
  return Array.from({ length: count }, (_, index) => {
    const settings = { ...shared, name: `route ${index}`, snapshotNo: index + 1, refuse: () => null }
    return new Route(new Slots(index + 2, 10), settings)
  })
}

it('for tasks that some of three routes have refused, there is a lane for each combination of the remaining routes', () => {
  const [a, b, c] = createRoutes(3) as [Route, Route, Route]
  const lanes = lanesOfRemaining('model', [a, b, c], [a, b, c])
  expect(lanes.get(laneNoOfRemaining('model', [a, b, c], [a, b, c], new Set([b])))).toEqual(new Set([b]))
  expect(lanes.size).toBe(6)
  // A fourth route could serve these tasks too, so they do not stay in this lane.
  expect(
    lanesOfRemaining('model', createRoutes(4), createRoutes(4)).has(
      laneNoOfRemaining('model', [a, b, c], [a, b, c], new Set([b])),
    ),
  ).toBe(false)
  for (const remaining of lanes.values()) expect(lanes.has(laneNoOf('model', [a, b, c], [...remaining]))).toBe(false)
})

it('for tasks that some of a hundred routes have refused, there are at most 1,024 lanes', () => {
  expect(lanesOfRemaining('model', createRoutes(100), createRoutes(100)).size).toBe(1_024)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import type { PoolState, RouteGrant } from '../../src/db/task-queue.ts'
import { Allocator, type ClaimedRoute } from '../../src/routing/allocate.ts'
import type { Demand } from '../../src/routing/demand.ts'
import { newLane, type Lane } from '../../src/routing/lanes.ts'
import { pauseAfter, type Refusal } from '../../src/routing/pause.ts'
import { Route, type Upstream } from '../../src/routing/route.ts'
import { Slots } from '../../src/routing/slots.ts'

const numRuns = isLongRun ? 20_000 : 500
let poolCount = 0

function newUpstream(inFlightMax: number): Upstream {
  return { name: 'u', key: 'k', slots: new Slots(++poolCount, inFlightMax) }
}

interface RouteTestSettings {
  name: string
  weight: number
  priority: number
  inFlightMax: number
}

function newRoute(upstream: Upstream, settings: Partial<RouteTestSettings> = {}): Route {
  const { weight = 1, priority = 0, inFlightMax = 1_000 } = settings
  const rest = {
    snapshotNo: 1,
    deferMaxMs: 1_000,
    deadlineMs: null,
    probe: null,
    target: null,
    refuse: () => null,
    forwards: false,
  }
  const slots = new Slots(++poolCount, inFlightMax)
  return new Route(slots, { name: settings.name ?? `r${poolCount}`, upstream, weight, priority, ...rest })
}

function occupySlots({ slots, settings }: Route, count: number): void {
  for (const pool of [slots, settings.upstream.slots]) observeSlots(pool, { inFlight: pool.state.inFlight + count })
}

function observeSlots(slots: Slots, change: Partial<PoolState>): void {
  slots.observe({ ...slots.state, no: slots.pool ?? 0, ...change }, 0)
}

/** Returns claims of one task on each of the granted routes. */
function claimsOf(model: string, routes: readonly RouteGrant[]): ClaimedRoute[] {
  return routes.map(({ route, pools }) => ({ model, route, pool: pools?.route.pool ?? null }))
}

/** Returns the number of tasks that one allocation grants to each lane and from each slot pool. */
function grantSlots(allocator: Allocator, demands: readonly Demand[], max = 64, nowMs = 0) {
  const { grants, freeSlots } = allocator.allocate(demands, max, nowMs)
  const ofLane = new Map(grants.map(({ lane, routes }) => [lane, routes.reduce((sum, { limit }) => sum + limit, 0)]))
  const ofPool = new Map<number, number>()
  for (const { limit, pools } of grants.flatMap(({ routes }) => routes)) {
    for (const pool of pools === null ? [] : [pools.route.pool, pools.upstream.pool]) {
      ofPool.set(pool, (ofPool.get(pool) ?? 0) + limit)
    }
  }
  return { ofLane, ofPool, freeSlots, sum: [...ofLane.values()].reduce((sum, count) => sum + count, 0) }
}

/** Returns the number of tasks that `rounds` allocations together grant to each lane. */
function countShares(allocator: Allocator, lanes: readonly Lane[], rounds: number): number[] {
  const shares = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const { ofLane } = grantSlots(
      allocator,
      lanes.map((lane) => ({ lane, tasks: 10 })),
    )
    for (const [lane, count] of ofLane) shares.set(lane, (shares.get(lane) ?? 0) + count)
  }
  return lanes.map(({ no }) => shares.get(no) ?? 0)
}

const anyLimit = fc.integer({ min: 1, max: 5 })
const anyRoutes = fc.array(
  fc.record({
    upstream: fc.nat(3),
    weight: anyLimit,
    priority: fc.nat(2),
    inFlightMax: anyLimit,
    occupied: fc.nat(3),
    lanes: fc.subarray([0, 1, 2, 3]),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('allocator', () => {
  it('an allocation takes only free slots, and leaves none free that a waiting task could use', () => {
    fc.assert(
      fc.property(
        fc.array(anyLimit, { minLength: 4, maxLength: 4 }),
        anyRoutes,
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 4, maxLength: 4 }),
        (limits, settingsOfRoutes, tasks) => {
          const upstreams = limits.map(newUpstream)
          const routes = settingsOfRoutes.map(({ upstream, occupied, ...settings }) => {
            const route = newRoute(upstreams[upstream]!, settings)
            occupySlots(route, occupied)
            return route
          })
          const demands = tasks.flatMap((count, no): Demand[] => {
            const ableRoutes = routes.filter((_, index) => settingsOfRoutes[index]?.lanes.includes(no))
            return ableRoutes.length === 0 ? [] : [{ lane: newLane(no, 'A', ableRoutes), tasks: count }]
          })
          const { ofLane, ofPool, freeSlots, sum } = grantSlots(new Allocator(), demands)
          expect(sum).toBeLessThanOrEqual(64)
          const slotsLeft = ({ slots, settings }: Route): number =>
            Math.min(...[slots, settings.upstream.slots].map((pool) => pool.freeSlots(0) - (ofPool.get(pool.pool ?? 0) ?? 0)))
          for (const route of routes) {
            expect(freeSlots(route)).toBe(slotsLeft(route))
            for (const pool of [route.slots, route.settings.upstream.slots])
              expect(ofPool.get(pool.pool ?? 0) ?? 0).toBeLessThanOrEqual(pool.freeSlots(0))
          }
          for (const { lane, tasks } of demands) {
            expect(ofLane.get(lane.no) ?? 0).toBeLessThanOrEqual(tasks)
            const isServed = (ofLane.get(lane.no) ?? 0) === tasks
            if (!isServed && sum < 64) for (const route of lane.ranks[0] ?? []) expect(slotsLeft(route)).toBeLessThanOrEqual(0)
          }
        },
      ),
      { numRuns },
    )
  })

  it.each<[granted: number, state: string, change: Partial<PoolState>, inFlightMax: number]>([
    [3, 'is unused', {}, 3],
    [2, 'has one attempt in flight', { inFlight: 1 }, 3],
    [0, 'is full', { inFlight: 3 }, 3],
    [0, 'is above a lowered limit', { inFlight: 5 }, 3],
    [1, 'allows one unconfirmed attempt', { unconfirmedMax: 1 }, 3],
    [0, 'has its only unconfirmed attempt in flight', { unconfirmedMax: 1, inFlight: 1, unconfirmed: 1 }, 3],
    [1, 'has one of two unconfirmed attempts in flight', { unconfirmedMax: 2, inFlight: 1, unconfirmed: 1 }, 9],
    [1, 'has 255 unconfirmed attempts in flight', { inFlight: 255, unconfirmed: 255 }, 1_000],
    [0, 'is paused for one more millisecond', { pausedUntilMs: 1 }, 3],
  ])('an allocation grants %i tasks if a pool %s', (expected, _state, change, inFlightMax) => {
    const [ofRoute, ofUpstream] = [newRoute(newUpstream(1_000), { inFlightMax }), newRoute(newUpstream(inFlightMax))]
    observeSlots(ofRoute.slots, change)
    observeSlots(ofUpstream.settings.upstream.slots, change)
    for (const route of [ofRoute, ofUpstream])
      expect(grantSlots(new Allocator(), [{ lane: newLane(1, 'A', [route]), tasks: 9 }]).sum).toBe(expected)
  })

  it('lanes with the same routes get equal shares for any number of free slots', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 5, maxLength: 40 }),
        (laneCount, slotCounts) => {
          const upstream = newUpstream(1_000)
          const route = newRoute(upstream)
          const demands = Array.from({ length: laneCount }, (_, no) => ({ lane: newLane(no, `M${no}`, [route]), tasks: 64 }))
          const allocator = new Allocator()
          const total = new Map<number, number>()
          for (const slots of slotCounts) {
            route.slots.inFlightMax = slots
            const { ofLane, sum } = grantSlots(allocator, demands)
            expect(sum).toBe(slots)
            for (const [lane, count] of ofLane) total.set(lane, (total.get(lane) ?? 0) + count)
            const shares = demands.map(({ lane }) => total.get(lane.no) ?? 0)
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns },
    )
  })

  it('a lane with a single route is not starved by lanes that can also use another route', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), (otherLanes, slots) => {
        const upstream = newUpstream(1_000)
        const [onlyRoute, otherRoute] = [newRoute(upstream, { inFlightMax: slots }), newRoute(upstream, { inFlightMax: slots })]
        const single = { lane: newLane(0, 'A', [onlyRoute]), tasks: 64 }
        const rest = Array.from({ length: otherLanes }, (_, no) => ({
          lane: newLane(no + 1, 'A', [onlyRoute, otherRoute]),
          tasks: 64,
        }))
        const allocator = new Allocator()
        let sum = 0
        const rounds = 40
        for (let round = 0; round < rounds; round++) sum += grantSlots(allocator, [...rest, single]).ofLane.get(0) ?? 0
        expect(sum).toBeGreaterThanOrEqual(Math.floor((rounds * slots) / (otherLanes + 1)) - 1)
      }),
      { numRuns },
    )
  })

  it('models that share an upstream get equal shares although one of them has more lanes', () => {
    const [shared, fullUpstream] = [newUpstream(1), newUpstream(1)]
    const [x, xElsewhere, y] = [newRoute(shared), newRoute(fullUpstream), newRoute(shared)]
    occupySlots(xElsewhere, 1)
    const lanes = [newLane(1, 'X', [x, xElsewhere]), newLane(2, 'X', [x]), newLane(3, 'Y', [y])]
    expect(countShares(new Allocator(), lanes, 300)).toEqual([75, 75, 150])
  })

  it('models keep equal shares when their lanes are recreated repeatedly', () => {
    const upstream = newUpstream(1)
    const [x, y] = [newRoute(upstream), newRoute(upstream)]
    const allocator = new Allocator()
    const total = [0, 0]
    for (let reload = 0; reload < 50; reload++) {
      for (const [index, share] of countShares(allocator, [newLane(1, 'X', [x]), newLane(2, 'Y', [y])], 3).entries()) {
        total[index]! += share
      }
    }
    expect(total).toEqual([75, 75])
  })

  it('a lane that only a shared route can serve gets its share although its model is served elsewhere too', () => {
    const [shared, ownUpstream] = [newUpstream(1), newUpstream(5)]
    const [x, xElsewhere, y] = [newRoute(shared), newRoute(ownUpstream), newRoute(shared)]
    const lanes = [newLane(1, 'X', [x]), newLane(2, 'X', [xElsewhere]), newLane(3, 'Y', [y])]
    expect(countShares(new Allocator(), lanes, 100)).toEqual([50, 500, 50])
  })

  it('an allocation over 20,000 lanes with full routes takes less than a second of CPU time', () => {
    const upstream = newUpstream(1)
    const demands = Array.from({ length: 20_000 }, (_, no) => ({ lane: newLane(no, `M${no}`, [newRoute(upstream)]), tasks: 5 }))
    occupySlots(demands[0]!.lane.ranks[0]![0]!, 1)
    // The test measures CPU time, because other work on the machine does not affect it.
    const cpuBefore = process.cpuUsage()
    expect(grantSlots(new Allocator(), demands).sum).toBe(0)
    expect(process.cpuUsage(cpuBefore).user).toBeLessThan(1_000_000)
  })

  it('routes of the same priority share tasks by weight within 5 %, one by one and in bursts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 100, maxLength: 100 }),
        fc.boolean(),
        (weights, bursts, isInBursts) => {
          const upstream = newUpstream(1_000)
          const routes = weights.map((weight) => newRoute(upstream, { weight }))
          const lane = newLane(1, 'A', routes)
          const allocator = new Allocator()
          const counts = new Map<number, number>()
          for (let tasksLeft = 100, round = 0; tasksLeft > 0; round++) {
            const tasks = isInBursts ? Math.min(tasksLeft, bursts[round] ?? 1) : 1
            tasksLeft -= tasks
            for (const [pool, count] of grantSlots(allocator, [{ lane, tasks }]).ofPool)
              counts.set(pool, (counts.get(pool) ?? 0) + count)
          }
          const total = weights.reduce((sum, weight) => sum + weight, 0)
          for (const { slots, settings } of routes)
            expect(Math.abs((counts.get(slots.pool ?? 0) ?? 0) - (100 * settings.weight) / total)).toBeLessThanOrEqual(5)
        },
      ),
      { numRuns },
    )
  })

  it('routes share the claimed tasks by weight within one task, regardless of the claims that another worker wins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 100, maxLength: 100 }),
        (weights, claims) => {
          const upstream = newUpstream(1_000)
          const routes = weights.map((weight) => newRoute(upstream, { weight }))
          const lane = newLane(1, 'A', routes)
          const allocator = new Allocator()
          const claimed: RouteGrant[] = []
          for (const isClaimed of claims) {
            const { grants, undoUnclaimed } = allocator.allocate([{ lane, tasks: 1 }], 64, 0)
            const won = isClaimed ? grants.flatMap((grant) => grant.routes) : []
            undoUnclaimed(claimsOf('A', won))
            claimed.push(...won)
          }
          const total = weights.reduce((sum, weight) => sum + weight, 0)
          for (const { name, settings } of routes) {
            const count = claimed.filter(({ route }) => route === name).length
            expect(Math.abs(count - (claimed.length * settings.weight) / total)).toBeLessThan(1)
          }
        },
      ),
      { numRuns },
    )
  })

  it.each([
    ['routes of two models with the same names', ['x', 'y'], ['A', 'B']],
    ['two routes of a model with the same name', ['x', 'x'], ['A', 'B']],
  ])('%s share the claimed tasks by weight if no task of the other model is claimed', (_, names, models) => {
    const upstream = newUpstream(1_000)
    const lanes = models.map((model, no) =>
      newLane(
        no,
        model,
        names.map((name, index) => newRoute(upstream, { name, weight: index === 0 ? 3 : 1 })),
      ),
    )
    const [, claimedLane] = lanes
    const allocator = new Allocator()
    const counts = new Map<number, number>()
    for (let round = 0; round < 100; round++) {
      const { grants, undoUnclaimed } = allocator.allocate(
        lanes.map((lane) => ({ lane, tasks: 1 })),
        64,
        0,
      )
      const won = grants.flatMap(({ lane, routes }) => (lane === claimedLane?.no ? claimsOf('B', routes) : []))
      undoUnclaimed(won)
      for (const { pool } of won) counts.set(pool ?? 0, (counts.get(pool ?? 0) ?? 0) + 1)
    }
    expect(claimedLane?.ranks[0]?.map(({ slots }) => counts.get(slots.pool ?? 0) ?? 0)).toEqual([75, 25])
  })

  it('an allocation from which no worker claims a task is repeated unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weight: anyLimit, inFlightMax: anyLimit }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 }),
        (settingsOfRoutes, bursts) => {
          const upstream = newUpstream(1_000)
          const lane = newLane(
            1,
            'A',
            settingsOfRoutes.map((settings) => newRoute(upstream, settings)),
          )
          const allocator = new Allocator()
          for (const tasks of bursts) {
            const unclaimed = allocator.allocate([{ lane, tasks }], 64, 0)
            unclaimed.undoUnclaimed([])
            expect(allocator.allocate([{ lane, tasks }], 64, 0).grants).toEqual(unclaimed.grants)
          }
        },
      ),
      { numRuns },
    )
  })

  it('a route with a higher priority number is used only if the route before it is down, or busy for defer_max', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.nat(2_000), (isDown, isBusy, elapsedMs) => {
        const [firstRoute, secondRoute] = [newRoute(newUpstream(1)), newRoute(newUpstream(1), { priority: 1 })]
        if (isBusy) occupySlots(firstRoute, 1)
        if (isDown) observeSlots(firstRoute.slots, { condition: 'unavailable', pausedUntilMs: 10_000, unconfirmedMax: 1 })
        firstRoute.recordFreeSlots(firstRoute.freeSlots(0), 0)
        const { ofPool } = grantSlots(
          new Allocator(),
          [{ lane: newLane(1, 'A', [secondRoute, firstRoute]), tasks: 2 }],
          64,
          elapsedMs,
        )
        const shouldFailOver = isDown || (isBusy && elapsedMs >= 1_000)
        expect([ofPool.get(firstRoute.slots.pool ?? 0) ?? 0, ofPool.get(secondRoute.slots.pool ?? 0) ?? 0]).toEqual([
          isDown || isBusy ? 0 : 1,
          shouldFailOver ? 1 : 0,
        ])
      }),
      { numRuns },
    )
  })
})

describe('busy routes', () => {
  it('a route that is busy while the clock is set back by an hour is failed over after its defer_max', () => {
    const route = newRoute(newUpstream(1))
    const setBackMs = 10_000_000 - 3_600_000
    route.recordFreeSlots(0, 10_000_000)
    for (const elapsedMs of [0, 500]) {
      route.recordFreeSlots(0, setBackMs + elapsedMs)
      expect(route.shouldFailOver(setBackMs + elapsedMs)).toBe(false)
    }
    expect(route.shouldFailOver(setBackMs + 1_000)).toBe(true)
  })
})

describe('pauses', () => {
  it('a pause that began before the clock was set back by an hour counts as ended, also for the length of the next pause', () => {
    const route = newRoute(newUpstream(5))
    const nowMs = 10_000_000
    const pausedState = { ...route.slots.state, no: 1, pausedUntilMs: nowMs + 3_600_000, unconfirmedMax: 1, refusals: 1 }
    route.slots.observe(pausedState, 0)
    expect([route.freeSlots(nowMs), route.pausedUntilMs(nowMs)]).toEqual([1, null])
    const pause = pauseAfter({ condition: 'throttled', retryAfterMs: null }, route.slots.state, nowMs, 0)
    expect(pause).toMatchObject({ untilMs: nowMs + 10_000, refusals: 2 })
    route.slots.setPause(pause, nowMs, 'HTTP 503')
    expect([route.freeSlots(nowMs), route.pausedUntilMs(nowMs)]).toEqual([0, nowMs + 10_000])
    expect(route.freeSlots(nowMs + 10_000)).toBe(1)
  })

  it('a pause lasts at least as long as Retry-After, limited to 1 s to 10 min, and at most 20 % longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 2_000_000 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (retryAfterMs, random) => {
          const open = { pausedUntilMs: 0, unconfirmedMax: null, refusals: 0, condition: 'open' } as const
          const { untilMs } = pauseAfter({ condition: 'throttled', retryAfterMs }, open, 1_000, random)
          const leastMs = Math.min(600_000, Math.max(1_000, retryAfterMs))
          expect(untilMs - 1_000).toBeGreaterThanOrEqual(leastMs)
          expect(untilMs - 1_000).toBeLessThanOrEqual(Math.ceil(leastMs * 1.2))
        },
      ),
      { numRuns },
    )
  })

  it.each<Refusal>([
    { condition: 'throttled', retryAfterMs: null },
    { condition: 'throttled', retryAfterMs: 30_000 },
    { condition: 'unavailable', retryAfterMs: null },
    { condition: 'out_of_order' },
  ])('the duration of a pause has at least 15 %% of jitter for %o', (refusal) => {
    const open = { pausedUntilMs: 0, unconfirmedMax: null, refusals: 0, condition: 'open' } as const
    const [shortestMs = 0, longestMs = 0] = [0, 0.99].map((random) => pauseAfter(refusal, open, 0, random).untilMs)
    expect(longestMs).toBeGreaterThanOrEqual(1.15 * shortestMs)
  })

  it('consecutive pauses double up to a maximum, and rejections during one pause count once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          { refusal: { condition: 'throttled', retryAfterMs: null } as const, firstMs: 5_000, maxMs: 60_000 },
          { refusal: { condition: 'throttled', retryAfterMs: 0 } as const, firstMs: 1_000, maxMs: 60_000 },
          { refusal: { condition: 'unavailable', retryAfterMs: null } as const, firstMs: 1_000, maxMs: 300_000 },
          { refusal: { condition: 'out_of_order' } as const, firstMs: 15_000, maxMs: 300_000 },
        ),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
        ({ refusal, firstMs, maxMs }, lateRefusalCounts) => {
          const pool = { pausedUntilMs: 0, unconfirmedMax: null as number | null, refusals: 0, condition: 'open' as const }
          let nowMs = 1_000
          for (const [index, lateRefusals] of lateRefusalCounts.entries()) {
            for (let n = 0; n <= lateRefusals; n++) {
              const { untilMs, refusals } = pauseAfter(refusal, pool, nowMs, 0)
              expect(untilMs - nowMs).toBe(Math.min(maxMs, firstMs * 2 ** index))
              pool.pausedUntilMs = Math.max(pool.pausedUntilMs, untilMs)
              pool.refusals = Math.max(pool.refusals, refusals)
            }
            nowMs = pool.pausedUntilMs
          }
        },
      ),
      { numRuns },
    )
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMs } from '../../src/db/store-under-test.ts'
import { Secret } from '../../src/config/secret.ts'
import type { UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import type { RouteDefinition, UpstreamDefinition } from '../../src/routing/configuration/definitions.ts'
import { createFindSlotPools } from '../../src/routing/slot-pools.ts'
import { openInProcessStore, type InProcessStore } from './in-process-store.ts'
import { SqliteEngine } from './sqlite-engine.ts'

const driver = { name: 'scripted' } as UpstreamDriver

function upstreamNamed(name: string, baseUrl = 'https://u1', key = 'key'): UpstreamDefinition {
  return { name, driver, baseUrl, credential: new Secret(key), inFlightMax: 1, pollsPerSecondMax: 1 }
}

function routeTo(upstream: UpstreamDefinition, upstreamModel: string): RouteDefinition {
  const target = { baseUrl: upstream.baseUrl, model: upstreamModel, parameters: {}, extra: {}, workflow: null, slots: {} }
  const rank = { priority: 0, weight: 1, inFlightMax: 1, deferMaxMs: 0, deadlineMs: null }
  return { name: upstream.name, model: 'A', upstream, target, ...rank, cost: null }
}

function manyRoutesTo(upstream: UpstreamDefinition): RouteDefinition[] {
  return Array.from({ length: 4_000 }, (_, no) => ({ ...routeTo(upstream, `a${no}`), model: `A${no}` }))
}

describe('slot pools of a changed configuration', () => {
  let engine: SqliteEngine
  let openedStore: InProcessStore

  beforeAll(async () => {
    engine = await SqliteEngine.make()
  })
  afterAll(() => engine[Symbol.dispose]())

  async function findPools(upstreams: UpstreamDefinition[], routes: RouteDefinition[]): Promise<number[][]> {
    const pools = await createFindSlotPools(openedStore.store.database)({ upstreams, routes })
    return [upstreams.map((upstream) => pools.ofUpstream(upstream)), routes.map((route) => pools.ofRoute(route))]
  }

  async function withStore(test: () => Promise<void>): Promise<void> {
    openedStore = openInProcessStore(
      engine.copy(),
      () => startMs,
      () => 0,
    )
    try {
      await test()
    } finally {
      await openedStore.store[Symbol.asyncDispose]()
    }
  }

  it('a route keeps its pool when another route of the same name is removed or reordered', () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const [firstRoute, secondRoute] = [routeTo(upstream, 'a1'), routeTo(upstream, 'a2')]
      const [, poolsBefore = []] = await findPools([upstream], [firstRoute, secondRoute])
      expect((await findPools([upstream], [secondRoute]))[1]).toEqual([poolsBefore[1]])
      expect((await findPools([upstream], [firstRoute, secondRoute]))[1]).toEqual([poolsBefore[0], poolsBefore[1]])
      expect((await findPools([upstream], [secondRoute, firstRoute]))[1]).toEqual([poolsBefore[1], poolsBefore[0]])
    }))

  it('upstreams that exchange their names keep their pools', () =>
    withStore(async () => {
      const [[firstPool, secondPool] = []] = await findPools(
        [upstreamNamed('x', 'https://u1'), upstreamNamed('y', 'https://u2')],
        [],
      )
      const [exchanged] = await findPools([upstreamNamed('y', 'https://u1'), upstreamNamed('x', 'https://u2')], [])
      expect(exchanged).toEqual([firstPool, secondPool])
    }))

  async function pause(...pools: (number | undefined)[]): Promise<void> {
    const paused = { paused_until: startMs + 60_000, unconfirmed_max: 1, refusals: 2, condition: 'throttled' } as const
    for (const no of pools) await openedStore.store.database.updateTable('slot_pools').set(paused).where('no', '=', no!).execute()
  }

  async function readPause(no: number | undefined): Promise<object> {
    const columns = ['paused_until', 'unconfirmed_max', 'refusals', 'condition'] as const
    return openedStore.store.database.selectFrom('slot_pools').select(columns).where('no', '=', no!).executeTakeFirstOrThrow()
  }

  const stillPaused = { paused_until: startMs + 60_000, unconfirmed_max: 1, refusals: 2, condition: 'throttled' }
  const oneSubmitFirst = { paused_until: 0, unconfirmed_max: 1, refusals: 0, condition: 'open' }
  const neverPaused = { paused_until: 0, unconfirmed_max: null, refusals: 0, condition: 'open' }

  it('a route stays paused if only the fields that it sends are changed', () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const route = routeTo(upstream, 'a1')
      const [[upstreamPool] = [], [pool] = []] = await findPools([upstream], [route])
      await pause(pool, upstreamPool)
      for (const change of [{ extra: { quality: 'high' } }, { parameters: { seed: 'settings.seed' } }, { model: 'a2' }]) {
        const changed = { ...route, target: { ...route.target, ...change } }
        expect((await findPools([upstream], [changed]))[1]).toEqual([pool])
        expect([await readPause(pool), await readPause(upstreamPool)]).toEqual([stillPaused, stillPaused])
      }
    }))

  it.each([
    ['another key', upstreamNamed('u1', 'https://u1', 'rotated')],
    ['another URL', upstreamNamed('u1', 'https://u2')],
  ])('a single attempt is sent first if a paused upstream has %s', (_, changed) =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const [[upstreamPool] = [], [pool, otherPool] = []] = await findPools(
        [upstream],
        [routeTo(upstream, 'a1'), routeTo(upstream, 'a2')],
      )
      await pause(pool, upstreamPool)
      await findPools([changed], [routeTo(changed, 'a1'), routeTo(changed, 'a2')])
      expect(await readPause(upstreamPool)).toEqual(oneSubmitFirst)
      expect(await readPause(pool)).toEqual(oneSubmitFirst)
      expect(await readPause(otherPool)).toEqual(neverPaused)
    }),
  )

  it('a single attempt is sent first after a paused route was assigned to another upstream', () =>
    withStore(async () => {
      const [firstUpstream, secondUpstream] = [upstreamNamed('u1'), upstreamNamed('u2', 'https://u2')]
      const [, [pool] = []] = await findPools(
        [firstUpstream, secondUpstream],
        [{ ...routeTo(firstUpstream, 'a1'), name: 'route' }],
      )
      await pause(pool)
      const [, [moved] = []] = await findPools(
        [firstUpstream, secondUpstream],
        [{ ...routeTo(secondUpstream, 'a1'), name: 'route' }],
      )
      expect(moved).toBe(pool)
      expect(await readPause(pool)).toEqual(oneSubmitFirst)
    }))

  it('a new upstream that takes the name of a renamed one gets a pool of its own', () =>
    withStore(async () => {
      const [[poolBefore] = []] = await findPools([upstreamNamed('main')], [])
      const upstreams = [upstreamNamed('main', 'https://u2', 'other'), upstreamNamed('renamed')]
      const [[added, renamed] = []] = await findPools(upstreams, [])
      expect(renamed).toBe(poolBefore)
      expect(added).not.toBe(poolBefore)
      expect((await findPools(upstreams, []))[0]).toEqual([added, renamed])
    }))

  it('a new route that takes the name of a renamed one gets a pool of its own', () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const route = routeTo(upstream, 'a1')
      const [, [poolBefore] = []] = await findPools([upstream], [route])
      const routes = [routeTo(upstream, 'a2'), { ...route, name: 'renamed' }]
      const [, [added, renamed] = []] = await findPools([upstream], routes)
      expect(renamed).toBe(poolBefore)
      expect(added).not.toBe(poolBefore)
      expect((await findPools([upstream], routes))[1]).toEqual([added, renamed])
    }))

  it('the pools of 4,000 routes are created, found and renamed in less than 10 seconds', { timeout: 60_000 }, () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const startedAtMs = performance.now()
      const [, created = []] = await findPools([upstream], manyRoutesTo(upstream))
      expect(new Set(created).size).toBe(4_000)
      expect((await findPools([upstream], manyRoutesTo(upstream)))[1]).toEqual(created)
      const renamed = { ...upstream, name: 'renamed' }
      expect((await findPools([renamed], manyRoutesTo(renamed)))[1]).toEqual(created)
      expect(performance.now() - startedAtMs).toBeLessThan(10_000)
    }),
  )

  it('an upstream keeps its pool when it is renamed, or given another key', () =>
    withStore(async () => {
      const [poolBefore] = await findPools([upstreamNamed('x')], [])
      expect((await findPools([upstreamNamed('y')], []))[0]).toEqual(poolBefore)
      expect((await findPools([upstreamNamed('y', 'https://u1', 'rotated')], []))[0]).toEqual(poolBefore)
    }))
})

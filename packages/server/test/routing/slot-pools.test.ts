import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMs } from '../../src/db/store-under-test.ts'
import { Secret } from '../../src/config/secret.ts'
import type { UpstreamDriver } from '../../src/drivers/upstream/upstream-driver.ts'
import type { RouteDefinition, UpstreamDefinition } from '../../src/routing/definitions.ts'
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
  return { name: upstream.name, model: 'A', upstream, target, ...rank, cost: { perSecond: 0, perImage: 0, perTask: 0 } }
}

describe('slot pools of a changed configuration', () => {
  let engine: SqliteEngine
  let opened: InProcessStore

  beforeAll(async () => {
    engine = await SqliteEngine.make()
  })
  afterAll(() => engine[Symbol.dispose]())

  async function poolsOf(upstreams: UpstreamDefinition[], routes: RouteDefinition[]): Promise<number[][]> {
    const pools = await createFindSlotPools(opened.store.query)({ upstreams, routes })
    return [upstreams.map((upstream) => pools.ofUpstream(upstream)), routes.map((route) => pools.ofRoute(route))]
  }

  async function withStore(test: () => Promise<void>): Promise<void> {
    opened = openInProcessStore(
      engine.copy(),
      () => startMs,
      () => 0,
    )
    try {
      await test()
    } finally {
      await opened.store[Symbol.asyncDispose]()
    }
  }

  it('a route keeps its pool when another route of the same name is removed before it', () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const [first, second] = [routeTo(upstream, 'a1'), routeTo(upstream, 'a2')]
      const [, before = []] = await poolsOf([upstream], [first, second])
      expect((await poolsOf([upstream], [second]))[1]).toEqual([before[1]])
      expect((await poolsOf([upstream], [first, second]))[1]).toEqual([before[0], before[1]])
      expect((await poolsOf([upstream], [second, first]))[1]).toEqual([before[1], before[0]])
    }))

  it('upstreams that exchange their names keep their pools', () =>
    withStore(async () => {
      const [[one, two] = []] = await poolsOf([upstreamNamed('x', 'https://u1'), upstreamNamed('y', 'https://u2')], [])
      const [exchanged] = await poolsOf([upstreamNamed('y', 'https://u1'), upstreamNamed('x', 'https://u2')], [])
      expect(exchanged).toEqual([one, two])
    }))

  it('a new upstream that takes the name of a renamed one gets a pool of its own', () =>
    withStore(async () => {
      const [[before] = []] = await poolsOf([upstreamNamed('main')], [])
      const upstreams = [upstreamNamed('main', 'https://u2', 'other'), upstreamNamed('renamed')]
      const [[added, renamed] = []] = await poolsOf(upstreams, [])
      expect(renamed).toBe(before)
      expect(added).not.toBe(before)
      expect((await poolsOf(upstreams, []))[0]).toEqual([added, renamed])
    }))

  it('a new route that takes the name of a renamed one gets a pool of its own', () =>
    withStore(async () => {
      const upstream = upstreamNamed('u1')
      const route = routeTo(upstream, 'a1')
      const [, [before] = []] = await poolsOf([upstream], [route])
      const routes = [routeTo(upstream, 'a2'), { ...route, name: 'renamed' }]
      const [, [added, renamed] = []] = await poolsOf([upstream], routes)
      expect(renamed).toBe(before)
      expect(added).not.toBe(before)
      expect((await poolsOf([upstream], routes))[1]).toEqual([added, renamed])
    }))

  it('an upstream keeps its pool when it is renamed, or given another key', () =>
    withStore(async () => {
      const [before] = await poolsOf([upstreamNamed('x')], [])
      expect((await poolsOf([upstreamNamed('y')], []))[0]).toEqual(before)
      expect((await poolsOf([upstreamNamed('y', 'https://u1', 'rotated')], []))[0]).toEqual(before)
    }))
})

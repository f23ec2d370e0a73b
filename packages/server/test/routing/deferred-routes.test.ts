import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthyResponses, type ScriptedRoute, type ScriptedUpstream, type Submit } from './scripted-upstream.ts'
import { SqliteEngine } from './sqlite-engine.ts'
import { World } from './world.ts'

function upstreamNamed(name: string): ScriptedUpstream {
  const features = { find: true, cancel: true, probe: false }
  const shared = { key: 'key', features, inFlightMax: 1_000, preparationMs: 0, latencyMs: 50, ...healthyResponses }
  return { ...shared, name, baseUrl: `https://${name}` }
}

function routeTo(upstream: ScriptedUpstream, settings: Partial<ScriptedRoute>): ScriptedRoute {
  const rank = { weight: 1, priority: 0, inFlightMax: 1_000, deferMaxMs: 0, deadlineMs: null }
  const rest = { model: 'A', abilities: [], response: { kind: 'ok' }, isConfigured: true } as const
  return { ...rank, ...rest, id: `${upstream.name}/A`, upstream, ...settings }
}

describe('routes with a higher priority number', () => {
  let engine: SqliteEngine

  beforeAll(async () => {
    engine = await SqliteEngine.make()
  })
  afterAll(() => engine[Symbol.dispose]())

  /** Runs a case with a preferred route and a route of priority 1. */
  async function withPreferred(
    settings: Partial<ScriptedRoute>,
    act: (world: World, preferred: ScriptedRoute, sentTo: (route: 'preferred' | 'second') => Submit[]) => Promise<void>,
  ): Promise<void> {
    const upstreams = [upstreamNamed('u1'), upstreamNamed('u2')] as const
    const preferred = routeTo(upstreams[0], settings)
    const routes = { preferred, second: routeTo(upstreams[1], { priority: 1 }) }
    await World.run(engine, { upstreams: [...upstreams], routes: Object.values(routes), seed: 1 }, async (world) => {
      await act(world, preferred, (name) => world.providers.submits.filter(({ route }) => route === routes[name]))
      await world.finish()
    })
  }

  it('a route that has recovered from a 404 and is only full is preferred until defer_max has passed', () =>
    withPreferred({ inFlightMax: 1, deferMaxMs: 10_000 }, async (world, preferred, sentTo) => {
      preferred.response = { kind: 'error', status: 404 }
      await world.submit(1, 'A', [], 1)
      await world.advance(3_000)
      expect([sentTo('preferred').length, sentTo('second').length]).toEqual([1, 1])

      preferred.response = { kind: 'ok' }
      await world.submit(1, 'A', [], 1)
      await world.advance(500)
      const [, running] = sentTo('preferred')
      Object.assign(running?.job ?? {}, { endsAtMs: world.time.nowMs + 60_000 })
      await world.submit(1, 'A', [], 1)
      await world.advance(15_000)
      const [, deferred, ...laterSubmits] = sentTo('second')
      const waitedMs = (deferred?.atMs ?? 0) - (running?.atMs ?? 0)
      expect(waitedMs).toBeGreaterThanOrEqual(10_000)
      expect(waitedMs).toBeLessThanOrEqual(11_000)
      expect([sentTo('preferred').length, laterSubmits.length]).toEqual([2, 0])
    }))

  it.each([0, -60_000])('a route that always sends a Retry-After of %i ms is skipped after defer_max', (retryAfterMs) =>
    withPreferred({ inFlightMax: 5, deferMaxMs: 3_000 }, async (world, preferred, sentTo) => {
      preferred.response = { kind: 'throttled', retryAfterMs }
      const submittedAtMs = world.time.nowMs
      await world.submit(1, 'A', [], 1)
      await world.advance(10_000)
      const [failedOver] = sentTo('second')
      const waitedMs = (failedOver?.atMs ?? Infinity) - submittedAtMs
      expect(waitedMs).toBeGreaterThanOrEqual(3_000)
      expect(waitedMs).toBeLessThanOrEqual(5_000)
      expect(sentTo('preferred').length).toBeLessThanOrEqual(3)
    }),
  )
})

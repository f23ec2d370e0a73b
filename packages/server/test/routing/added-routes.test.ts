import { afterAll, beforeAll, expect, it } from 'vitest'
import { healthyResponses, type Ability, type ScriptedRoute, type ScriptedUpstream } from './scripted-upstream.ts'
import { SqliteEngine } from './sqlite-engine.ts'
import { World } from './world.ts'

let engine: SqliteEngine

beforeAll(async () => {
  engine = await SqliteEngine.make()
})
afterAll(() => engine[Symbol.dispose]())

function upstreamNamed(name: string): ScriptedUpstream {
  const features = { find: false, cancel: false, probe: false }
  const shared = { key: 'key', features, inFlightMax: 10, preparationMs: 0, latencyMs: 0, ...healthyResponses }
  return { ...shared, name, baseUrl: `https://${name}` }
}

/** Creates a route of model A that serves one task at a time. */
function routeTo(upstream: ScriptedUpstream, abilities: Ability[], isConfigured: boolean): ScriptedRoute {
  const rank = { weight: 1, priority: 0, inFlightMax: 1, deferMaxMs: 0, deadlineMs: null }
  return { ...rank, id: `${upstream.name}/A`, model: 'A', upstream, abilities, response: { kind: 'ok' }, isConfigured }
}

it('an added route serves tasks that wait behind a task that it cannot serve', async () => {
  const upstreams = [upstreamNamed('u1'), upstreamNamed('u2')] as const
  const [configured, added] = [routeTo(upstreams[0], ['audio'], true), routeTo(upstreams[1], [], false)]
  await World.run(engine, { upstreams: [...upstreams], routes: [configured, added], seed: 0 }, async (world) => {
    await world.submit(1, 'A', [], 1)
    await world.advance(500)
    await world.submit(1, 'A', ['audio'], 1)
    await world.submit(2, 'A', [], 1)
    added.isConfigured = true
    await world.reload()
    await world.submit(1, 'A', ['audio'], 1)
    expect(world.providers.submits.map(({ route }) => route)).toEqual([configured])
    await world.advance(500)
    expect(world.providers.submits.map(({ route }) => route)).toEqual([configured, added])
    await world.finish()
  })
})

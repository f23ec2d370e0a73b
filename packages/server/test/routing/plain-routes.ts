import { healthyResponses, type ScriptedRoute, type ScriptedUpstream } from './scripted-upstream.ts'
import type { World } from './world.ts'

/** Creates an upstream that accepts every submit, with a limit that no test reaches. */
export function plainUpstream(settings: Partial<ScriptedUpstream> = {}): ScriptedUpstream {
  return {
    baseUrl: 'https://u1',
    features: { find: true, cancel: true, probe: false },
    name: 'u1',
    key: 'key-1',
    inFlightMax: 1_000,
    preparationMs: 0,
    latencyMs: 50,
    ...healthyResponses,
    ...settings,
  }
}

/** Creates a route for the model A, with a limit that no test reaches. */
export function plainRoute(upstream: ScriptedUpstream, id: string, settings: Partial<ScriptedRoute> = {}): ScriptedRoute {
  return {
    id,
    model: 'A',
    upstream,
    abilities: [],
    weight: 1,
    priority: 0,
    inFlightMax: 1_000,
    deferMaxMs: 1_000,
    deadlineMs: null,
    response: { kind: 'ok' },
    isConfigured: true,
    ...settings,
  }
}

/** Returns the number of submits that the upstream has received over a route. */
export function countSubmitsOn(world: World, route: ScriptedRoute | undefined): number {
  return world.providers.submits.filter((submit) => submit.route === route).length
}

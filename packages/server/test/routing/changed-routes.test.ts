import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Driver } from '../../src/drivers/driver.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { RouteDefinition } from '../../src/routing/configuration/definitions.ts'
import { Routes } from '../../src/routing/routes.ts'
import type { Slots } from '../../src/routing/slots.ts'

/** Creates a route to the embedded driver. */
function embeddedRoute(model: string, settings: Partial<RouteDefinition> = {}): RouteDefinition {
  const target = { baseUrl: '', model: '', parameters: {}, extra: {}, workflow: null, slots: {} }
  const rank = { priority: 0, weight: 1, inFlightMax: 1, deferMaxMs: 0, deadlineMs: null }
  const cost = null
  return { name: 'embedded', model, upstream: null, target, ...rank, cost, ...settings }
}

function heavyAndLight(settings: readonly Partial<RouteDefinition>[]): RouteDefinition[] {
  return settings.map((options, index) => embeddedRoute('A', { name: ['heavy', 'light'][index]!, inFlightMax: 10, ...options }))
}

describe('routes of a changed configuration', () => {
  let routes: Routes

  beforeEach(() => {
    routes = new Routes({
      store: { changePool: async () => {}, readPools: async () => [], workers: { count: 1 } as never },
      findPools: async () => ({ ofUpstream: () => 0, ofRoute: () => 0 }),
      embedded: { driver: {} as Driver, inFlightMax: 10 },
      snapshots: undefined as never,
      drivers: [],
      tools: undefined as never,
      callbackUrl: () => null,
      clock: () => 0,
      logger: createLogger('silent'),
    })
  })
  afterEach(() => routes[Symbol.asyncDispose]())

  async function useRoutes(...definitions: RouteDefinition[]): Promise<void> {
    await routes.use({ upstreams: [], routes: definitions })
  }

  /**
   * Starts tasks of a model one after another until no slot is free or `maximum` tasks have
   * started. Returns the names of the used routes and the acquired slots.
   */
  function startAll(model: string, maximum = 100): { names: string[]; acquiredSlots: Slots[] } {
    const names: string[] = []
    const acquiredSlots: Slots[] = []
    while (names.length < maximum) {
      const { grants } = routes.allocate([{ lane: routes.embeddedLane(model)!, tasks: 1 }], 1)
      const [name] = grants.flatMap((grant) => grant.routes.map(({ route }) => route))
      if (name === undefined) break
      names.push(name)
      const slots = routes.embeddedSlots(model, name, false)
      for (const pool of slots) pool.acquire()
      acquiredSlots.push(...slots)
    }
    return { names, acquiredSlots }
  }

  it('an embedded route for all models applies its limit to a model that had its own route before', async () => {
    await useRoutes(embeddedRoute('A'))
    await useRoutes(embeddedRoute('*'))
    expect(startAll('A').names).toHaveLength(1)
  })

  it('an embedded route that is removed and added again counts its attempts in flight', async () => {
    await useRoutes(embeddedRoute('A', { inFlightMax: 2 }))
    const { acquiredSlots } = startAll('A')
    await useRoutes()
    await useRoutes(embeddedRoute('A', { inFlightMax: 2 }))
    expect(startAll('A').names).toEqual([])
    for (const slots of acquiredSlots) slots.release()
    expect(startAll('A').names).toHaveLength(2)
  })

  it.each([
    ['a weight', [{ weight: 1 }, { weight: 1 }]],
    [
      'a priority',
      [
        { weight: 1, priority: 1 },
        { weight: 1, priority: 1 },
      ],
    ],
  ])('shares follow the weights immediately when %s is changed', async (_, [heavy, light]) => {
    await useRoutes(...heavyAndLight([{ weight: 1_000 }, { weight: 1 }]))
    for (let task = 0; task < 490; task++) for (const slots of startAll('A', 1).acquiredSlots) slots.release()
    await useRoutes(...heavyAndLight([heavy!, light!]))
    expect(startAll('A', 4).names.filter((name) => name === 'light')).toHaveLength(2)
  })

  it('shares follow the weights immediately when a route is added', async () => {
    const [heavyRoute, lightRoute] = [1_000, 1].map((weight, no) =>
      embeddedRoute('A', { name: `route-${no}`, weight, inFlightMax: 10 }),
    )
    await useRoutes(heavyRoute!, lightRoute!)
    for (let task = 0; task < 490; task++) for (const slots of startAll('A', 1).acquiredSlots) slots.release()
    await useRoutes(lightRoute!)
    await useRoutes(lightRoute!, embeddedRoute('A', { name: 'added', inFlightMax: 10 }))
    expect(startAll('A', 4).names.filter((name) => name === 'added')).toHaveLength(2)
  })

  it('a reload that does not change the routes of a model keeps their shares', async () => {
    const definitions = [3, 1].map((weight, no) => embeddedRoute('A', { name: `route-${no}`, weight, inFlightMax: 10 }))
    await useRoutes(...definitions)
    const names: string[] = []
    for (let task = 0; task < 100; task++) {
      const startedTasks = startAll('A', 1)
      for (const slots of startedTasks.acquiredSlots) slots.release()
      names.push(...startedTasks.names)
      await useRoutes(...definitions, embeddedRoute(`B${task}`))
    }
    expect(names.filter((name) => name === 'route-1')).toHaveLength(25)
  })
})

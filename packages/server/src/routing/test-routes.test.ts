import { expect, it } from 'vitest'
import type { RouteEntry } from './configuration/merge-routing.ts'
import { testRoutes } from './test-routes.ts'

const source = 'api'
const violations = [{ path: ['upstream'], message: 'is disabled' }]
const entries: RouteEntry[] = [
  { name: 'own', source, raw: { model: 'vidG_video3', upstream: 'studio' }, definition: undefined, violations },
  { name: 'all', source, raw: { model: '*', upstream: 'embedded' }, definition: undefined, violations: [] },
]
const routes = { routeOf: () => undefined, health: { recordSuccess: async () => {} } }

it('a test of a model whose only route is disabled omits the route for `*`, which does not serve the model', async () => {
  const results = await testRoutes(entries, routes, { id: 'vidG_video3', object: 'video' })
  expect(results).toMatchObject([{ route: 'own', outcome: 'set_aside' }])
  expect(await testRoutes(entries, routes, { id: 'imgA-5.0', object: 'image' })).toMatchObject([{ route: 'all' }])
})

it.each([
  ['text-translate', 'text'],
  ['some-chat', 'chat'],
] as const)(
  'a test of a model that generates no media omits the route for `*`, which does not serve the model: %s',
  async (id, object) => {
    expect(await testRoutes(entries, routes, { id, object })).toEqual([])
  },
)

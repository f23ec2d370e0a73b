import { expect, it } from 'vitest'
import type { RouteEntry } from './merge-routing.ts'
import { testRoutes } from './test-routes.ts'

it('a test of a model whose only route is disabled omits the route for all models, which does not serve it', async () => {
  const source = 'api'
  const violations = [{ path: ['upstream'], message: 'is disabled' }]
  const entries: RouteEntry[] = [
    { name: 'own', source, raw: { model: 'vidG_video3', upstream: 'studio' }, definition: undefined, violations },
    { name: 'all', source, raw: { model: '*', upstream: 'embedded' }, definition: undefined, violations: [] },
  ]
  const routes = { routeOf: () => undefined, recordSuccess: async () => {} }
  expect(await testRoutes(entries, routes, 'vidG_video3')).toMatchObject([{ route: 'own', outcome: 'set_aside' }])
  expect(await testRoutes(entries, routes, 'imgA-5.0')).toMatchObject([{ route: 'all' }])
})

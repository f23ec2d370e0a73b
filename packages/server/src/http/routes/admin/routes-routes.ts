import type { FastifyInstance } from 'fastify'
import {
  routeBody,
  routeExplainBody,
  routeTestBody,
  type AdminRoute,
  type RouteExplanation,
  type RouteTest,
} from '@framegate/contract'
import { embeddedRouteView, routeExplanationView, routeView } from '../../../admin/routing-view.ts'
import type { Model } from '../../../catalogue/model.ts'
import { parseParameters } from '../../../catalogue/parse-parameters.ts'
import { AppError } from '../../../lib/app-error.ts'
import { everyModel } from '../../../routing/configuration/definitions.ts'
import { testRoutes } from '../../../routing/test-routes.ts'
import { servedParameters } from '../../../tasks/require-route.ts'
import { upstreamRequest } from '../../../tasks/upstream-request.ts'
import { methodNotAllowed } from '../../begin-request.ts'
import { allowJsonBody } from '../../bodies/json-body.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'
import { requireModel } from './require-model.ts'
import { mapRoutingErrors } from './map-routing-errors.ts'
import { writeAudit } from './write-audit.ts'

export function addRouteRoutes(
  app: FastifyInstance,
  add: AddAdminRoute,
  {
    config,
    store,
    routing,
    routes,
    effectiveModels,
    catalogue,
    isAllowedHost,
    clock,
  }: Pick<
    HttpDependencies,
    'config' | 'store' | 'routing' | 'routes' | 'effectiveModels' | 'catalogue' | 'isAllowedHost' | 'clock'
  >,
): void {
  function routeViews(): AdminRoute[] {
    return routing.routes.map((entry) => routeView(entry, entry.definition && routes.routeOf(entry.definition), clock()))
  }

  const findStored = (name: string): AdminRoute | undefined =>
    routeViews().find((view) => view.name === name && view.source === 'api')

  add('GET', '/routes', async () => {
    const hasRouteOfEveryModel = routing.routes.some(({ definition }) => definition?.model === everyModel)
    return listOf([...routeViews(), ...(hasRouteOfEveryModel ? [] : [embeddedRouteView(routes.embedded, clock())])], null)
  })

  add('POST', '/routes/test', async ({ request, audit }): Promise<RouteTest> => {
    const { model } = readBody(request, routeTestBody)
    const testedModel = model === undefined ? undefined : requireModel(catalogue, model)
    const results = await testRoutes(routing.routes, routes, testedModel)
    const failedCount = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'set_aside').length
    // The audit log records tests, because a successful test puts a route back into service.
    await writeAudit(store, audit('route.test', null, { tested: results.length, failed: failedCount })(model ?? everyModel))
    return { object: 'route_test', failed: failedCount, results }
  })

  add('POST', '/routes/explain', async ({ request }): Promise<RouteExplanation> => {
    const { model: id, parameters: requestParameters = {} } = readBody(request, routeExplainBody)
    const model = requireModel(catalogue, id)
    const effectiveModel = effectiveModels.of(model)
    const parsed = parseParameters(
      effectiveModel.displayed,
      { ...requiredExamplesOf(effectiveModel.displayed), ...requestParameters, model: id },
      isAllowedHost,
    )
    const parameters = servedParameters(effectiveModel, parsed, (name) => name in requestParameters)
    return routeExplanationView(effectiveModel, parameters, routes.explain(id, upstreamRequest(model, parameters)))
  })

  add('PUT', '/routes/:name', async ({ request, reply, params, audit }) => {
    const name = params['name'] ?? ''
    const definition = readBody(request, routeBody)
    const extraStatements = audit('route.set', findStored(name) ?? null, definition)
    const hasExisted = await mapRoutingErrors(routing.setRoute(name, { ...definition }, extraStatements))
    if (!hasExisted) reply.code(201)
    return findStored(name)
  })

  add('DELETE', '/routes/:name', async ({ request, params, audit }) => {
    allowJsonBody(request)
    const name = params['name'] ?? ''
    const before = findStored(name)
    const isRemoved = await mapRoutingErrors(routing.removeRoute(name, audit('route.remove', before ?? null, null)))
    if (!isRemoved) throw new AppError('resource_not_found', `There is no route with the name ${name}.`)
    return before
  })

  // Without these handlers, the requests would act on a route named `test` or `explain`.
  for (const verb of ['test', 'explain']) {
    app.route({
      method: ['PUT', 'DELETE'],
      url: `${config.basePath}/admin/v1/routes/${verb}`,
      config: { isMethodGuard: true },
      handler(request) {
        throw methodNotAllowed(request.method, 'POST, OPTIONS')
      },
    })
  }
}

/**
 * Returns example values for the required parameters of a model, so that a request for an
 * explanation needs no prompt.
 */
function requiredExamplesOf({ parameters, examples }: Model): Record<string, unknown> {
  const [example] = examples
  const entries: [string, unknown][] = Object.entries(example ?? {})
  return Object.fromEntries(entries.filter(([name]) => parameters.required.includes(name)))
}

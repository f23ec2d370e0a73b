import { upstreamBody, type AdminUpstream } from '@framegate/contract'
import { embeddedUpstreamView, upstreamView } from '../../../admin/routing-view.ts'
import { AppError } from '../../../lib/app-error.ts'
import { allowJsonBody } from '../../bodies/json-body.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'
import { mapRoutingErrors } from './map-routing-errors.ts'

export function addUpstreamRoutes(
  add: AddAdminRoute,
  { routing, routes, clock }: Pick<HttpDependencies, 'routing' | 'routes' | 'clock'>,
): void {
  function upstreamViews(): AdminUpstream[] {
    return routing.upstreams.map((entry) => {
      const usedUpstreams = routing.routes
        .flatMap(({ definition }) => (definition?.upstream === entry.definition ? (definition ?? []) : []))
        .map((definition) => routes.routeOf(definition)?.settings.upstream)
      return upstreamView(entry, entry.definition && usedUpstreams[0], clock())
    })
  }

  const findStored = (name: string): AdminUpstream | undefined =>
    upstreamViews().find((view) => view.name === name && view.source === 'api')

  add('GET', '/upstreams', async () => listOf([...upstreamViews(), embeddedUpstreamView(routes.embedded)], null))

  add('PUT', '/upstreams/:name', async ({ request, reply, params, audit }) => {
    const name = params['name'] ?? ''
    const { api_key, ...definition } = readBody(request, upstreamBody)
    const before = findStored(name)
    const hasKey = api_key === undefined ? (before?.has_api_key ?? false) : api_key !== null
    const extraStatements = audit('upstream.set', before ?? null, { ...definition, has_api_key: hasKey })
    const hasExisted = await mapRoutingErrors(routing.setUpstream(name, { ...definition }, api_key, extraStatements))
    if (!hasExisted) reply.code(201)
    return findStored(name)
  })

  add('DELETE', '/upstreams/:name', async ({ request, params, audit }) => {
    allowJsonBody(request)
    const name = params['name'] ?? ''
    const before = findStored(name)
    const isRemoved = await mapRoutingErrors(routing.removeUpstream(name, audit('upstream.remove', before ?? null, null)))
    if (!isRemoved) throw new AppError('resource_not_found', `There is no upstream with the name ${name}.`)
    return before
  })
}

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../lib/is-object.ts'
import type { RouteDefinition, Routing, UpstreamDefinition } from './definitions.ts'
import type { FieldViolation } from '../../lib/field-violation.ts'
import type { ReadRoutingOptions } from './read-routing-options.ts'
import { readUpstream } from './read-upstream.ts'
import { readRoute } from './read-route.ts'

/**
 * The `upstreams` and `routes` sections. In sections that were read from a file, scalars are
 * strings, except within a route's `extra`, `input` and `workflow`.
 */
export interface RawRouting {
  upstreams: unknown
  routes: unknown
}

export interface RoutingResult {
  /** All entries without a violation. */
  routing: Routing
  /** The routes in the given order. An invalid route is undefined. */
  routesInOrder: readonly (RouteDefinition | undefined)[]
  violations: FieldViolation[]
}

/**
 * Reads the upstreams and routes that the operator has configured, and reports every violation in
 * them. In a route to an invalid or disabled upstream, only the fields that do not depend on the
 * driver are checked.
 */
export function readRouting(raw: RawRouting, options: ReadRoutingOptions): RoutingResult {
  const violations: FieldViolation[] = []
  const upstreams = readUpstreams(raw.upstreams, options, violations)
  const routesInOrder = readRoutes(raw.routes, upstreams, options, violations)
  const routes = routesInOrder.filter((route) => route !== undefined)
  const usableUpstreams = [...upstreams.values()].filter((upstream) => upstream !== undefined)
  return { routing: { upstreams: usableUpstreams, routes }, routesInOrder, violations }
}

/**
 * Reads the upstreams, by name. An invalid or disabled upstream is undefined, so that a route to it
 * does not cause a second violation.
 */
function readUpstreams(
  raw: unknown,
  options: ReadRoutingOptions,
  violations: FieldViolation[],
): Map<string, UpstreamDefinition | undefined> {
  const upstreams = new Map<string, UpstreamDefinition | undefined>(options.disabledUpstreams?.map((name) => [name, undefined]))
  if (raw === undefined || raw === null || raw === '') return upstreams
  if (!isObject(raw)) {
    violations.push({ path: ['upstreams'], message: 'must be a map of upstreams by name' })
    return upstreams
  }
  for (const [name, entry] of Object.entries(raw)) {
    const upstream = readUpstream(name, entry, ['upstreams', name], options, violations)
    upstreams.set(name, upstream)
  }
  return upstreams
}

function readRoutes(
  raw: unknown,
  upstreams: ReadonlyMap<string, UpstreamDefinition | undefined>,
  options: ReadRoutingOptions,
  violations: FieldViolation[],
): (RouteDefinition | undefined)[] {
  if (raw === undefined || raw === null || raw === '') return []
  if (!Array.isArray(raw)) {
    violations.push({ path: ['routes'], message: 'must be a list of routes, each with a model and an upstream' })
    return []
  }
  const routes = raw.map((entry: unknown, index) => readRoute(entry, ['routes', index], upstreams, options, violations))
  return routes.map((route, index) => {
    const firstIndex =
      route === undefined ? index : routes.findIndex((candidate) => candidate !== undefined && hasSameTarget(candidate, route))
    if (firstIndex === index) return route
    const firstDescription = options.describeRoute?.(firstIndex, index) ?? `routes[${firstIndex}]`
    violations.push({
      path: ['routes', index],
      message: `has the same model, upstream and upstream model as ${firstDescription}; remove one of them`,
    })
    return undefined
  })
}

/**
 * Whether both routes serve the same model by the same target at the same upstream. The embedded
 * driver has one target for each model.
 */
function hasSameTarget(first: RouteDefinition, second: RouteDefinition): boolean {
  if (first.model !== second.model || first.upstream !== second.upstream) return false
  return first.upstream === null || isDeepStrictEqual(first.target, second.target)
}

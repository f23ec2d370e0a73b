import type { ImportedRoute } from '../catalogue/import/imported-model.ts'
import { ImportError } from '../catalogue/import/import-error.ts'
import type { UpstreamTarget } from '../drivers/upstream/upstream-driver.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'
import type { RouteEntry } from '../routing/configuration/merge-routing.ts'
import { readRouteInput } from '../routing/configuration/read-route-input.ts'

/** A route to an upstream, in the format of the API, with its name. */
export interface PlannedRoute {
  name: string
  definition: Readonly<Record<string, unknown>>
}

const nameCharactersMax = 63

/**
 * Plans the routes of an import. An existing route to the same model of the provider keeps its
 * name.
 */
export function planRoutes(
  modelId: string,
  routes: readonly ImportedRoute[],
  upstream: UpstreamDefinition,
  entries: readonly RouteEntry[],
): PlannedRoute[] {
  const plannedRoutes: PlannedRoute[] = []
  for (const route of routes) {
    const { label, upstreamModel, ...target } = route
    const existingRoute = entries.find(
      ({ raw, source }) =>
        source === 'api' &&
        raw['model'] === modelId &&
        raw['upstream'] === upstream.name &&
        raw['upstream_model'] === upstreamModel,
    )
    const preferredName = slugOf(
      routes.length === 1 ? modelId : `${slugOf(modelId, nameCharactersMax - label.length - 1)}-${label}`,
      nameCharactersMax,
    )
    const usedNames = new Set([...entries.map(({ name }) => name), ...plannedRoutes.map(({ name }) => name)])
    const definition = { model: modelId, upstream: upstream.name, upstream_model: upstreamModel, ...target }
    requireValid(definition, route, upstream)
    plannedRoutes.push({ name: existingRoute?.name ?? freeName(preferredName, usedNames), definition })
  }
  return plannedRoutes
}

/** Validates a planned route with its driver. Throws an `ImportError` if it is invalid. */
function requireValid(definition: Readonly<Record<string, unknown>>, route: ImportedRoute, upstream: UpstreamDefinition): void {
  const { input, extra = {}, parameters = {}, workflow = null, slots = {} } = route
  const parsedInput = input === undefined ? undefined : readRouteInput(input)
  if (typeof parsedInput === 'string')
    throw new ImportError(`The route to ${route.upstreamModel} is invalid: input ${parsedInput}.`)
  const target = {
    baseUrl: upstream.baseUrl,
    model: route.upstreamModel,
    parameters,
    extra,
    workflow,
    slots,
    ...(parsedInput && { input: parsedInput }),
  } as UpstreamTarget
  const [violation] = upstream.driver.findRouteViolations?.(target) ?? []
  if (violation !== undefined) throw new ImportError(`The route to ${route.upstreamModel} is invalid: ${violation}.`)
  if (input !== undefined && upstream.driver.takesRouteInput !== true) {
    throw new ImportError(
      `The driver ${upstream.driver.name} does not support route input, which ${String(definition['model'])} needs.`,
    )
  }
}

function slugOf(text: string, charactersMax: number): string {
  const words = text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '')
  const slug = words.join('-').replace(/^_+/, '')
  return slug.slice(0, Math.max(1, charactersMax)) || 'model'
}

function freeName(preferredName: string, usedNames: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const name = preferredName.slice(0, nameCharactersMax - suffix.length) + suffix
    if (!usedNames.has(name)) return name
  }
}

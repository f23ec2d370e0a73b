import { compileDefinedSchema } from '../definitions/compile-defined-schema.ts'
import type { Capability } from '@framegate/contract'
import type { Model, ParameterSchema, RequestBody, RequestSchema } from '../model.ts'
import { acceptsDataUris } from '../media-references.ts'
import { isRequested, parametersOf, type Values } from './candidates.ts'
import { findServedRequests, type ServedRequests, type SmallestRequest } from './find-served-requests.ts'
import { describeNarrowing, type Narrowing } from './describe-narrowing.ts'
import { narrowParameter } from './narrow-parameter.ts'
import type { Refuse } from './request-search.ts'

/** Name of a route to an upstream, and the function that checks requests against the route. */
export interface RouteWithRefusals {
  name: string
  refuse: Refuse
}

/** A model, narrowed to the requests that its routes in use can serve. */
export interface EffectiveModel {
  /** The model without regard to its routes. Sizes and prices follow from this definition. */
  definition: Model
  /**
   * The model that clients see: the definition narrowed to the union of what its routes serve. It
   * is the same object as the definition if they serve everything.
   */
  displayed: Model
  narrowed: readonly Narrowing[]
  /** False if no route serves any request of the model. */
  isServed: boolean
  /**
   * Sets of optional parameters. A request needs all parameters of at least one set. Empty if
   * clients have no such choice.
   */
  needsOneOf: readonly (readonly string[])[]
  /**
   * The routes in the order in which tasks try them. Empty for a token model, for a model that the
   * embedded driver serves, and if there is no route.
   */
  routes: readonly RouteWithRefusals[]
}

/** Returns the effective model if the routes serve every request, so that nothing is narrowed. */
export function unrestrictedModel(definition: Model): EffectiveModel {
  return { definition, displayed: definition, narrowed: [], isServed: true, needsOneOf: [], routes: [] }
}

type ServingRoute = RouteWithRefusals & { servedRequests: ServedRequests }

export function effectiveModel(definition: Model, routes: readonly RouteWithRefusals[]): EffectiveModel {
  const servingRoutes = routes.flatMap((route): ServingRoute[] => {
    const servedRequests = findServedRequests(definition.parameters, route.refuse)
    return 'refusal' in servedRequests ? [] : [{ ...route, servedRequests }]
  })
  if (servingRoutes.length === 0)
    return { ...unrestrictedModel(definition), displayed: markUnserved(definition), isServed: false, routes }
  const smallest = smallestRequestsOf(definition.parameters, servingRoutes)
  const parameters = narrowSchema(definition.parameters, servingRoutes, smallest)
  const narrowed = describeNarrowing(definition.parameters, parameters, servingRoutes)
  if (narrowed.length === 0) return { ...unrestrictedModel(definition), routes }
  const needsOneOf = parameters.anyOf?.map(({ required }) => required) ?? []
  const displayed: Model = {
    ...definition,
    parameters,
    ...validatorsOf(definition, parameters),
    capabilities: definition.capabilities.filter((capability) => isCapable(capability, parameters)),
    limits: limitsOf(definition, parameters),
  }
  return {
    definition,
    displayed: { ...displayed, examples: examplesOf(displayed, servingRoutes, smallest) },
    narrowed,
    isServed: true,
    needsOneOf,
    routes,
  }
}

/**
 * Marks a model that no route can serve. Its routes in use, if there are any, have the model `*`,
 * because the configuration refuses a route to a named model that serves no request.
 */
function markUnserved(definition: Model): Model {
  return definition.availability.available
    ? { ...definition, availability: { available: false, reason: 'no_route' } }
    : definition
}

/**
 * Returns the smallest requests of all routes. A request is omitted if another one needs only some
 * of its needed parameters. The order is ascending by the number of needed parameters, and then by
 * the number of values that differ from the defaults.
 */
function smallestRequestsOf({ properties }: RequestSchema, servingRoutes: readonly ServingRoute[]): SmallestRequest[] {
  const smallestRequests = servingRoutes.flatMap(({ servedRequests }) => servedRequests.smallest)
  const minimal = smallestRequests.filter(
    ({ needs }) =>
      !smallestRequests.some((other) => other.needs.length < needs.length && other.needs.every((name) => needs.includes(name))),
  )
  const changes = ({ values }: SmallestRequest): number =>
    Object.entries(properties).filter(([name, schema]) => schema.default !== undefined && values[name] !== schema.default).length
  return minimal.toSorted((a, b) => a.needs.length - b.needs.length || changes(a) - changes(b))
}

function narrowSchema(
  schema: RequestSchema,
  servingRoutes: readonly ServingRoute[],
  smallest: readonly SmallestRequest[],
): RequestSchema {
  const { model, ...parameters } = schema.properties
  const defaults: Values = smallest[0]?.values ?? {}
  const properties: Record<string, ParameterSchema> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const narrowedParameter = narrowParameter(
      parameter,
      servingRoutes.flatMap(({ servedRequests }) => servedRequests.served.get(name) ?? []),
    )
    if (narrowedParameter !== null) properties[name] = withDefault(narrowedParameter, defaults[name])
  }
  const sets = smallest.map(({ needs }) => needs)
  const alwaysNeeded = sets[0]?.filter((name) => sets.every((needs) => needs.includes(name))) ?? []
  const distinctSets = [...new Map(sets.map((needs) => [needs.toSorted().join(' '), needs])).values()]
  const needsOneOf = distinctSets.map((needs) => needs.filter((name) => !alwaysNeeded.includes(name)))
  const dependencies = Object.entries(schema.dependentRequired ?? {}).filter(([name]) => name in properties)
  const { dependentRequired: _all, ...rules } = schema
  return {
    ...rules,
    properties: { model, ...properties },
    required: [...schema.required, ...alwaysNeeded],
    ...(dependencies.length > 0 && { dependentRequired: Object.fromEntries(dependencies) }),
    ...(needsOneOf.length > 1 && { anyOf: needsOneOf.map((required) => ({ required })) }),
  }
}

/**
 * Sets the default to the value of the smallest request. Removes the default if that request leaves
 * the parameter out.
 */
function withDefault(schema: ParameterSchema, value: unknown): ParameterSchema {
  if (schema.default === undefined || value === schema.default) return schema
  const { default: _unserved, ...others } = schema
  return isScalar(value) ? { ...schema, default: value } : others
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/**
 * Creates validators that accept every request that the definition allows, and fill in the defaults
 * of the narrowed schema. A later check decides whether a route serves the request. Error messages
 * name the values of the narrowed schema.
 */
function validatorsOf(definition: Model, narrowed: RequestSchema): Pick<Model, 'accepts' | 'findErrors'> {
  const before: Readonly<Record<string, ParameterSchema>> = definition.parameters.properties
  const after: Readonly<Record<string, ParameterSchema>> = narrowed.properties
  const changedDefaults = Object.keys(before).filter((name) => before[name]?.default !== after[name]?.default)
  const hiddenNames = Object.keys(before).filter((name) => !(name in after))
  const { anyOf: _needs, ...checkedSchema } = narrowed
  const { findErrors } = compileDefinedSchema(checkedSchema)
  return {
    accepts(parameters) {
      const values = parameters as Record<string, unknown>
      const unsetNames = changedDefaults.filter((name) => values[name] === undefined)
      for (const name of unsetNames) if (after[name]?.default !== undefined) values[name] = after[name].default
      if (!definition.accepts(values)) return false
      for (const name of unsetNames) if (after[name]?.default === undefined) delete values[name]
      return true
    },
    findErrors(parameters) {
      const values = parameters as Record<string, unknown>
      const isUnset = (name: string): boolean => name in values && !isRequested(values[name])
      const unsetNames = hiddenNames.filter(isUnset)
      const { ...requested } = values
      for (const name of unsetNames) delete requested[name]
      return findErrors(requested)
    },
  }
}

function isCapable(capability: Capability, { properties, required, anyOf = [] }: RequestSchema): boolean {
  switch (capability) {
    case 'text-to-video':
    case 'text-to-image':
      return anyOf.every((set) => set.required.length === 0) && !imageParameterNames.some((name) => required.includes(name))
    case 'image-to-video':
      return 'first_frame' in properties
    case 'first-and-last-frame':
      return 'last_frame' in properties
    case 'reference-to-video':
    case 'reference-to-image':
      return 'reference_images' in properties
    case 'audio':
      return 'audio' in properties
    default:
      return true
  }
}

const imageParameterNames = ['first_frame', 'last_frame', 'reference_images']

function limitsOf({ limits }: Model, { properties }: RequestSchema): Model['limits'] {
  return {
    ...limits,
    referenceImagesMax: Math.min(limits.referenceImagesMax, properties.reference_images?.maxItems ?? 0),
    dataUriCharactersMax: acceptsDataUris(properties) ? limits.dataUriCharactersMax : 0,
  }
}

/**
 * Returns the examples that a route serves. If no route serves any of them, returns the smallest
 * request with the prompt of the first example, or no example if that request is invalid.
 */
function examplesOf(
  displayed: Model,
  servingRoutes: readonly ServingRoute[],
  smallest: readonly SmallestRequest[],
): readonly RequestBody[] {
  const servedExamples = displayed.examples.filter(({ model: _model, ...parameters }) => {
    const filledParameters = { ...parameters }
    return (
      displayed.findErrors(parameters).length === 0 &&
      displayed.accepts(filledParameters) &&
      servingRoutes.some(({ refuse }) => refuse(filledParameters) === null)
    )
  })
  const [smallestRequest] = smallest
  if (servedExamples.length > 0 || smallestRequest === undefined) return servedExamples
  const [example] = displayed.examples
  const neededValues = Object.fromEntries(
    Object.entries(parametersOf(smallestRequest.values)).filter(
      ([name]) => smallestRequest.needs.includes(name) || displayed.parameters.required.includes(name),
    ),
  )
  const prompt = displayed.parameters.properties.prompt === undefined ? undefined : example?.prompt
  const parameters = { ...neededValues, ...(prompt !== undefined && { prompt }) }
  // The search uses sample values, which do not always match a parameter's pattern.
  return displayed.findErrors(parameters).length === 0 ? [{ model: displayed.id, ...parameters }] : []
}

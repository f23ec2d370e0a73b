import { allowedValues } from '../allowed-values.ts'
import { listOf } from '../describe-schema.ts'
import type { ParameterSchema, RequestSchema } from '../model.ts'
import type { ServedRequests } from './find-served-requests.ts'
import { narrowParameter } from './narrow-parameter.ts'

/** Difference between a parameter's definition and the values that routes to upstreams serve. */
export interface Narrowing {
  parameter: string
  /** The difference in words for clients. It names no route. */
  message: string
  /** The values that each route serves, for operators. */
  routes: readonly { route: string; serves: string }[]
}

/** Describes each parameter that differs, in the order of the definition. */
export function describeNarrowing(
  definition: RequestSchema,
  narrowed: RequestSchema,
  routes: readonly { name: string; servedRequests: ServedRequests }[],
): Narrowing[] {
  const { model: _model, ...parameters } = definition.properties
  const after: Readonly<Record<string, ParameterSchema>> = narrowed.properties
  return Object.entries(parameters).flatMap(([parameter, schema]): Narrowing[] => {
    const isRequired = definition.required.includes(parameter)
    const requirement = isRequired ? null : describeRequirement(parameter, narrowed)
    const sentences = [...describeDifferences(schema, after[parameter]), ...(requirement === null ? [] : [requirement])]
    if (sentences.length === 0) return []
    const servedByRoute = routes.map(({ name, servedRequests }) => ({
      route: name,
      serves: describeServed(parameter, schema, servedRequests),
    }))
    return [{ parameter, message: sentences.join(' '), routes: servedByRoute }]
  })
}

function describeDifferences(before: ParameterSchema, after: ParameterSchema | undefined): string[] {
  if (after === undefined) return ['Not available.']
  const [acceptedBefore, acceptedAfter] = [allowedValues(before), allowedValues(after)]
  const values = acceptedBefore === acceptedAfter ? [] : [`Values: ${acceptedAfter} instead of ${acceptedBefore}.`]
  if (before.default === after.default) return values
  return [...values, `Default: ${textOf(after.default)} instead of ${textOf(before.default)}.`]
}

function describeRequirement(parameter: string, { required, anyOf = [] }: RequestSchema): string | null {
  if (required.includes(parameter)) return 'Required.'
  if (!anyOf.some((set) => set.required.includes(parameter))) return null
  return `A request needs ${listOf(anyOf.map((set) => listOf(set.required, 'and')))}.`
}

function describeServed(parameter: string, schema: ParameterSchema, { served, smallest }: ServedRequests): string {
  const servedValues = served.get(parameter)
  const narrowedSchema = servedValues === undefined ? null : narrowParameter(schema, [servedValues])
  if (narrowedSchema === null) return 'not available'
  const isNeeded = smallest.length > 0 && smallest.every(({ needs }) => needs.includes(parameter))
  return `${allowedValues(narrowedSchema)}${isNeeded ? ', required' : ''}`
}

function textOf(value: unknown): string {
  if (value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

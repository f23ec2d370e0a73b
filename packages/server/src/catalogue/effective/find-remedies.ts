import { describeActual, listOf } from '../describe-schema.ts'
import type { ParsedParameters } from '../model.ts'
import { isRequested, parametersOf, type Candidates, type Values } from './candidates.ts'
import type { EffectiveModel } from './effective-model.ts'
import { noPresetValues, RequestSearch, type NearestOptions, type Refusal } from './request-search.ts'

/** Maximum number of requests to try for one refused request, over all routes of its model. */
const attemptsMax = 1_000

/** Returns whether the client sent a parameter. Other parameters have their defaults. */
export type IsGiven = (name: string) => boolean

/**
 * Replaces defaults of a request so that a route to an upstream serves it. Returns the changed
 * request, or null if no change of defaults helps. If several routes can serve a changed request,
 * returns the request with the fewest changes. Among equals, returns the request of the first
 * route.
 */
export function withOtherDefaults(
  model: EffectiveModel,
  parameters: ParsedParameters,
  isGiven: IsGiven,
): ParsedParameters | null {
  const baseRequest: Values = { ...parameters }
  const remedies = searchesOf(model)
    .map((search) => findNearest(search, baseRequest, isGiven))
    .filter((values) => values !== null)
  const [best] = remedies.toSorted((a, b) => countDifferences(a, baseRequest) - countDifferences(b, baseRequest))
  return best === undefined ? null : parametersOf(best)
}

/**
 * Finds the changes that would make a refused request acceptable: for each parameter, the values
 * with which a route would serve the request. If no change of a single parameter helps, returns the
 * refusals of the routes, one for each parameter. If the request satisfies no set of `needsOneOf`,
 * returns only a refusal that says so.
 */
export function findRemedies(model: EffectiveModel, parameters: ParsedParameters, isGiven: IsGiven): Refusal[] {
  const values: Values = { ...parameters }
  const missingRefusal = findMissing(model, values)
  if (missingRefusal !== null) return [missingRefusal]
  const searches = searchesOf(model)
  const sortedCandidates = [...(searches[0]?.candidates.values() ?? [])].toSorted(
    (a, b) => Number(isGiven(b.name)) - Number(isGiven(a.name)),
  )
  const remedies = sortedCandidates.flatMap((candidates) => remedyOf(candidates, searches, values, isGiven) ?? [])
  if (remedies.length > 0) return remedies
  const refusals = model.routes.flatMap(({ refuse }) => refuse(parameters) ?? [])
  return [...new Map(refusals.toReversed().map((refusal) => [refusal.parameter, refusal])).values()].toReversed()
}

function searchesOf({ definition, routes }: EffectiveModel): RequestSearch[] {
  return routes.map(({ refuse }) => new RequestSearch(definition.parameters, refuse, Math.ceil(attemptsMax / routes.length)))
}

/** Returns a refusal if the request lacks a parameter of every set in `needsOneOf`. */
function findMissing({ displayed, needsOneOf }: EffectiveModel, parameters: Values): Refusal | null {
  const [[firstName] = []] = needsOneOf
  const has = (name: string): boolean => isRequested(parameters[name])
  if (firstName === undefined || needsOneOf.some((set) => set.every(has))) return null
  return {
    parameter: firstName,
    message: `${listOf(needsOneOf.map((set) => listOf(set, 'and')))} is required for ${displayed.id}`,
  }
}

/**
 * Returns the nearest served request that has the values of `change`. All other changed parameters
 * have a default and were not sent by the client. Returns null if no such request is found.
 */
function findNearest(
  search: RequestSearch,
  parameters: Values,
  isGiven: IsGiven,
  change: Values = {},
  options: Pick<NearestOptions, 'presetValues'> = {},
): Values | null {
  const freeCandidates = [...search.candidates.values()].filter(
    ({ name, schema }) => schema.default !== undefined && !isGiven(name) && !(name in change),
  )
  const names = new Set(freeCandidates.map(({ name }) => name))
  const fixedValues = [...search.candidates.keys()].filter((name) => !names.has(name)).map((name) => [name, parameters[name]])
  const start = Object.fromEntries([...names].map((name) => [name, parameters[name]]))
  return search.findNearest({ ...Object.fromEntries(fixedValues), ...change }, { start, ...options })
}

function countDifferences(values: Values, otherValues: Values): number {
  return Object.keys({ ...values, ...otherValues }).filter((name) => values[name] !== otherValues[name]).length
}

function remedyOf(
  { name, schema, values, isComplete, isRequired }: Candidates,
  searches: readonly RequestSearch[],
  parameters: Values,
  isGiven: IsGiven,
): Refusal | null {
  const requestedValue = parameters[name]
  const wouldBeServed = (value: unknown): boolean =>
    searches.some(
      (search) => findNearest(search, parameters, isGiven, { [name]: value }, { presetValues: noPresetValues }) !== null,
    )
  // The service cannot suggest another text, and a wide range has too many values to list.
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined
  const otherLengths = values.filter((value) => isRequested(value) && lengthOrValue(value) !== lengthOrValue(requestedValue))
  const servedValues = isComplete && !(isText && isRequested(requestedValue)) ? otherLengths.filter(wouldBeServed) : []
  const refusal = (requirement: string): Refusal => ({
    parameter: name,
    message: `${name} ${requirement} with the other parameters of this request`,
  })
  if (!isRequested(requestedValue)) return servedValues.length === 0 ? null : refusal('is required')
  const canBeLeftOut = !isRequired && schema.default === undefined && wouldBeServed(undefined)
  const alternatives = [
    ...(servedValues.length > 0 ? [`be ${formatValues(servedValues)}`] : []),
    ...(canBeLeftOut ? ['be left out'] : []),
  ]
  if (alternatives.length === 0) return null
  const { message, ...rest } = refusal(`must ${alternatives.join(' or ')}`)
  return { ...rest, message: `${message}; got ${describeActual(requestedValue, schema)}` }
}

/**
 * Returns the length of a list, or any other value itself, because lists are compared only by their
 * length.
 */
function lengthOrValue(value: unknown): unknown {
  return Array.isArray(value) ? value.length : value
}

function formatValues(values: readonly unknown[]): string {
  const lengths = values.flatMap((value) => (Array.isArray(value) ? [value.length] : []))
  if (lengths.length > 0) return `a list of ${listOf(lengths)}`
  return listOf(values.map(String))
}

import type { RequestSchema } from '../model.ts'
import { isRequested, type Candidates, type Values } from './candidates.ts'
import { noPresetValues, RequestSearch, type NearestOptions, type Refusal, type Refuse } from './request-search.ts'

/** The values of one parameter that a route to an upstream serves. */
export type ServedValues = { values: readonly unknown[] } | { from: number; to: number }

/** The requests of one model that one route can serve. */
export interface ServedRequests {
  /** The served values of each parameter. A parameter that the route does not accept is absent. */
  served: ReadonlyMap<string, ServedValues>
  /**
   * Requests with as few parameters as possible, one for each set of needed optional parameters. No
   * set contains another set.
   */
  smallest: readonly SmallestRequest[]
}

export interface SmallestRequest {
  /** The optional parameters of the request that have no default. */
  needs: readonly string[]
  values: Values
}

/**
 * Maximum number of optional parameters that the search combines, such as a first and a last frame.
 */
const neededParametersMax = 3
/** Maximum length of a list of values that are all tried with each value of another parameter. */
const valuesProbedMax = 3

/**
 * Finds the requests that a route serves by calling `refuse`. If the route serves no request,
 * returns a refusal instead.
 */
export function findServedRequests(schema: RequestSchema, refuse: Refuse): ServedRequests | { refusal: Refusal } {
  const search = new RequestSearch(schema, refuse)
  if (search.baseRefusal !== null && !search.canServe({})) return { refusal: search.baseRefusal }
  const requestsByRefusals = findSmallest(search, { presetValues: noPresetValues })
  const requests = requestsByRefusals.length > 0 ? requestsByRefusals : findSmallest(search)
  const smallest = requests.length > 0 ? requests : [findLargerRequest(search)]
  for (const { values } of smallest.toReversed()) search.addServed(values)
  const servedValues = findServedValues(search)
  return { served: servedValues, smallest }
}

/**
 * Finds the served values in two passes. The first pass only follows refusals. The second pass also
 * starts from values of other parameters that the first pass has found. The second pass is
 * necessary because two values may be incompatible and the refusal may name the one that must not
 * change.
 */
function findServedValues(search: RequestSearch): Map<string, ServedValues> {
  const valuesByParameter = new Map<string, Set<unknown>>()
  const probe = (presetValues: (name: string) => readonly unknown[]): void => {
    for (const { name, values } of search.candidates.values()) {
      const before = valuesByParameter.get(name) ?? new Set()
      valuesByParameter.set(
        name,
        new Set(values.filter((value) => before.has(value) || search.canServe({ [name]: value }, { presetValues }))),
      )
    }
  }
  probe(noPresetValues)
  probe((name) => firstAndLast([...(valuesByParameter.get(name) ?? [])]))
  const servedValues = new Map<string, ServedValues>()
  for (const candidates of search.candidates.values()) {
    const values = candidates.values.filter((value) => valuesByParameter.get(candidates.name)?.has(value))
    if (values.some(isRequested))
      servedValues.set(candidates.name, candidates.isComplete ? { values } : rangeOf(search, candidates, values))
  }
  return servedValues
}

/**
 * Returns the values of a short list, or the first and last values of a longer list. Limits affect
 * the ends of a list, so these values suffice to show whether another parameter depends on this
 * one.
 */
function firstAndLast(values: readonly unknown[]): readonly unknown[] {
  return values.length <= valuesProbedMax ? values : [...values.slice(0, 1), ...values.slice(-1)]
}

/**
 * Returns the refusal of a route that serves no request for a model, or null if the route serves at
 * least one or the search reaches its limit. Calls `refuse` less often than `findServedRequests`.
 */
export function findTotalRefusal(schema: RequestSchema, refuse: Refuse): Refusal | null {
  const search = new RequestSearch(schema, refuse)
  return search.baseRefusal === null || search.canServe({}) ? null : search.baseRefusal
}

function rangeOf(search: RequestSearch, { name, schema }: Candidates, served: readonly unknown[]): ServedValues {
  const { minimum, maximum } = schema
  const step = schema.type === 'integer' ? 1 : 0.01
  const numbers = served.filter((value) => typeof value === 'number')
  const isServed = (value: number): boolean => search.canServe({ [name]: value }, { presetValues: noPresetValues })
  return {
    // A range without a bound is not narrowed at its open end.
    from: minimum === undefined ? -Infinity : findLastServed(Math.min(...numbers), minimum, step, isServed),
    to: maximum === undefined ? Infinity : findLastServed(Math.max(...numbers), maximum, step, isServed),
  }
}

/**
 * Finds a served request of a route that needs more than `neededParametersMax` optional parameters
 * together. Returns the base request if the search finds none.
 */
function findLargerRequest(search: RequestSearch): SmallestRequest {
  const values = search.findNearest({}) ?? search.baseRequest
  return { needs: optionalOf(search).filter((name) => values[name] !== undefined), values }
}

function optionalOf(search: RequestSearch): string[] {
  const allCandidates = [...search.candidates.values()]
  return allCandidates.filter(({ schema, isRequired }) => !isRequired && schema.default === undefined).map(({ name }) => name)
}

/**
 * Finds the last served value between a served value and the end of the range by bisection, in
 * multiples of `step`. It assumes that the route serves one contiguous range.
 */
function findLastServed(served: number, end: number, step: number, isServed: (value: number) => boolean): number {
  if (served === end || isServed(end)) return end
  const direction = Math.sign(end - served)
  // Removes the inexact decimals of products such as 3 * 0.01.
  const valueAt = (steps: number): number => Number((served + direction * steps * step).toFixed(6))
  let inside = 0
  let outside = Math.min(Math.ceil(Math.abs(end - served) / step), Number.MAX_SAFE_INTEGER)
  while (outside - inside > 1) {
    const middle = inside + Math.trunc((outside - inside) / 2)
    if (isServed(valueAt(middle))) inside = middle
    else outside = middle
  }
  return inside === 0 ? served : valueAt(inside)
}

function findSmallest(search: RequestSearch, options: Pick<NearestOptions, 'presetValues'> = {}): SmallestRequest[] {
  const optional = optionalOf(search)
  const smallestRequests: SmallestRequest[] = []
  const triedKeys = new Set<string>()
  let level: (readonly string[])[] = [[]]
  while (level.length > 0) {
    const nextLevel: (readonly string[])[] = []
    for (const needs of level) {
      const key = needs.toSorted().join(' ')
      if (triedKeys.has(key) || smallestRequests.some((smaller) => smaller.needs.every((name) => needs.includes(name)))) continue
      triedKeys.add(key)
      const absent = optional.filter((name) => !needs.includes(name)).map((name) => [name, undefined])
      const present = needs.map((name) => [name, search.candidates.get(name)?.values[0]])
      const namedParameters = new Set<string>()
      const values = search.findNearest(Object.fromEntries(absent), {
        start: Object.fromEntries(present),
        namedParameters,
        ...options,
      })
      if (values !== null && needs.every((name) => values[name] !== undefined)) smallestRequests.push({ needs, values })
      else if (needs.length < neededParametersMax) {
        const further = optional.filter((name) => !needs.includes(name) && (needs.length === 0 || namedParameters.has(name)))
        nextLevel.push(...further.map((name) => needs.concat(name)))
      }
    }
    level = nextLevel
  }
  return smallestRequests
}

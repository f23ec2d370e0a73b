import type { GenerationParameters } from '../generation-parameters.ts'
import type { RequestSchema } from '../model.ts'
import { alternativesTo, candidatesOf, parametersOf, vocabularyValues, type Candidates, type Values } from './candidates.ts'

/** The starting point of every search of one model. */
interface SearchStart {
  candidates: ReadonlyMap<string, Candidates>
  /** The request with only the defaults and the required parameters. */
  baseRequest: Values
  /** Cache of the values to try, by parameter. */
  alternatives: Map<string, readonly unknown[]>
}

const searchStarts = new WeakMap<RequestSchema, SearchStart>()

function searchStartOf(schema: RequestSchema): SearchStart {
  let searchStart = searchStarts.get(schema)
  if (searchStart === undefined) {
    const candidates = candidatesOf(schema)
    const baseRequest = Object.fromEntries([...candidates.values()].map((candidate) => [candidate.name, candidate.baseValue]))
    searchStart = { candidates, baseRequest, alternatives: new Map() }
    searchStarts.set(schema, searchStart)
  }
  return searchStart
}

/** The reason why a route to an upstream cannot serve a request, and the parameter concerned. */
export interface Refusal {
  parameter: string
  message: string
}

/** Returns a route's refusal of a request, or null if the route serves the request. */
export type Refuse = (parameters: GenerationParameters) => Refusal | null

export interface NearestOptions {
  /** Initial values that replace the values of `baseRequest`. */
  start?: Values
  /** The search adds every parameter that a refusal names to this set. */
  namedParameters?: Set<string>
  /**
   * Returns the values of one parameter that the search sets before it follows refusals. By default
   * these are all values of the model. With `noPresetValues` the search only follows refusals.
   */
  presetValues?: (name: string) => readonly unknown[]
}

interface SearchState {
  changeableNames: readonly string[]
  namedParameters: Set<string>
  /** Number of requests that one call of `findNearest` may still try. */
  attemptsLeft: number
}

interface TriedRequest {
  values: Values
  changedNames: ReadonlySet<string>
}

export function noPresetValues(): readonly unknown[] {
  return []
}

/** Maximum number of parameters that the search changes in one request. */
const changesMax = 12
/** Maximum number of requests that one call of `findNearest` tries. */
const attemptsMax = 4_000
/**
 * Maximum number of served requests to store. If one parameter of such a request changes, a route
 * usually serves the new request too.
 */
const knownRequestsMax = 8

/**
 * Finds requests that a route serves by calling `refuse` with candidate requests. After a refusal,
 * the search changes the parameter that the refusal names and tries the nearest values first. If no
 * value is served, the search restarts with a change of one other parameter, because two values may
 * be incompatible and the refusal may name the one that the search must not change.
 *
 * The search finds a request only if it can be reached with at most one such restart and the
 * changes that refusals name.
 */
export class RequestSearch {
  /** The route's refusal of `baseRequest`, or null if the route serves it. */
  readonly baseRefusal: Refusal | null
  readonly #searchStart: SearchStart
  readonly #dependencies: readonly (readonly [string, readonly string[]])[]
  readonly #refuse: Refuse
  #servedRequests: Values[] = []
  /** For each parameter that a refusal has named: true if the route accepts none of its values. */
  readonly #isUnaccepted = new Map<string, boolean>()
  /** Remaining budget: the number of requests that this object may still try. */
  #attemptsLeft: number

  constructor(schema: RequestSchema, refuse: Refuse, attemptBudget = 10_000) {
    this.#searchStart = searchStartOf(schema)
    this.#refuse = refuse
    this.#attemptsLeft = attemptBudget
    this.#dependencies = Object.entries(schema.dependentRequired ?? {})
    this.baseRefusal = this.refusalOf(this.#searchStart.baseRequest)
  }

  /** The request with only the defaults and the required parameters. */
  get baseRequest(): Values {
    return this.#searchStart.baseRequest
  }

  get candidates(): ReadonlyMap<string, Candidates> {
    return this.#searchStart.candidates
  }

  /**
   * True when the budget is used up. The route may then serve a request that the search has not
   * found.
   */
  get isExhausted(): boolean {
    return this.#attemptsLeft <= 0
  }

  refusalOf(values: Values): Refusal | null {
    this.#attemptsLeft -= 1
    for (const [name, neededNames] of this.#dependencies) {
      const missingName = values[name] === undefined ? undefined : neededNames.find((other) => values[other] === undefined)
      if (missingName !== undefined) return { parameter: missingName, message: `${missingName} is required if ${name} is given` }
    }
    return this.#refuse(parametersOf(values))
  }

  /** Adds a served request, from which later searches may start. */
  addServed(values: Values): void {
    this.#servedRequests = [values, ...this.#servedRequests].slice(0, knownRequestsMax)
  }

  /**
   * Whether the search finds a served request with these values. Also true when the budget is used
   * up.
   */
  canServe(fixedValues: Values, options: Pick<NearestOptions, 'presetValues'> = {}): boolean {
    for (const served of this.#servedRequests) {
      if (this.isExhausted) return true
      if (this.refusalOf({ ...served, ...fixedValues }) === null) return true
    }
    const [start = {}] = this.#servedRequests
    const request = this.findNearest(fixedValues, { start, ...options })
    if (request !== null) this.addServed(request)
    return request !== null || this.isExhausted
  }

  /**
   * Returns a served request that has the values of `fixedValues` and differs little from
   * `baseRequest`, or null if the search finds none.
   */
  findNearest(
    fixedValues: Values,
    { start = {}, namedParameters = new Set(), presetValues }: NearestOptions = {},
  ): Values | null {
    const values = { ...this.#searchStart.baseRequest, ...start, ...fixedValues }
    const changeableNames = [...this.candidates.keys()].filter((name) => !(name in fixedValues))
    const state: SearchState = { changeableNames, namedParameters, attemptsLeft: attemptsMax }
    const request = this.#followRefusals({ values, changedNames: new Set() }, state)
    if (request !== null) return request
    for (const name of changeableNames) {
      for (const value of presetValues?.(name) ?? this.#alternativesOf(name)) {
        if (value === values[name]) continue
        const restart = { values: { ...values, [name]: value }, changedNames: new Set([name]) }
        const servedValues = this.#followRefusals(restart, state)
        if (servedValues !== null || state.attemptsLeft < 0) return servedValues
      }
    }
    return null
  }

  /** Changes the parameters that refusals name. Each parameter changes at most once. */
  #followRefusals(tried: TriedRequest, state: SearchState): Values | null {
    state.attemptsLeft -= 1
    if (state.attemptsLeft < 0 || this.isExhausted) return null
    const refusal = this.refusalOf(tried.values)
    if (refusal === null) return tried.values
    const { parameter } = refusal
    state.namedParameters.add(parameter)
    const { changedNames } = tried
    if (!state.changeableNames.includes(parameter) || changedNames.has(parameter) || changedNames.size === changesMax) return null
    this.#recordUnaccepted(parameter, tried.values)
    for (const next of this.#changesOf(parameter, tried)) {
      const request = this.#followRefusals(next, state)
      if (request !== null || state.attemptsLeft < 0) return request
    }
    return null
  }

  #changesOf(name: string, { values, changedNames }: TriedRequest): TriedRequest[] {
    const alternatives = this.#alternativesOf(name)
    const possibleValues = this.#isUnaccepted.get(name) === true ? [...alternatives, undefined] : alternatives
    const otherValues = possibleValues.filter((value) => value !== values[name])
    return otherValues.map((value) => ({ values: { ...values, [name]: value }, changedNames: new Set([...changedNames, name]) }))
  }

  /**
   * Records whether the route accepts no value of the parameter. Such a route refuses every value
   * of the shared vocabulary, including values that the model does not have, and each refusal names
   * the parameter. The search omits a parameter with a default only on such a route.
   */
  #recordUnaccepted(name: string, values: Values): void {
    const candidates = this.candidates.get(name)
    if (candidates === undefined || candidates.isRequired || this.#isUnaccepted.has(name)) return
    const isRefused = (value: unknown): boolean => this.refusalOf({ ...values, [name]: value })?.parameter === name
    this.#isUnaccepted.set(name, vocabularyValues(candidates).every(isRefused) && !isRefused(undefined))
  }

  #alternativesOf(name: string): readonly unknown[] {
    const { candidates, alternatives: knownAlternatives } = this.#searchStart
    const cachedValues = knownAlternatives.get(name)
    if (cachedValues !== undefined) return cachedValues
    const parameterCandidates = candidates.get(name)
    const values = parameterCandidates === undefined ? [] : alternativesTo(parameterCandidates)
    knownAlternatives.set(name, values)
    return values
  }
}

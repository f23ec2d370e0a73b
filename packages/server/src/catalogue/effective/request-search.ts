import type { GenerationParameters } from '../generation-parameters.ts'
import type { RequestSchema } from '../model.ts'
import { alternatives, candidatesOf, parametersOf, valuesAnywhere, type Candidates, type Values } from './candidates.ts'

/** The starting point of every search of one model. */
interface Space {
  candidates: ReadonlyMap<string, Candidates>
  /** The request with the defaults and what is required, and nothing else. */
  usual: Values
  alternatives: Map<string, readonly unknown[]>
}

const spaces = new WeakMap<RequestSchema, Space>()

function spaceOf(schema: RequestSchema): Space {
  let space = spaces.get(schema)
  if (space === undefined) {
    const candidates = candidatesOf(schema)
    const usual = Object.fromEntries([...candidates.values()].map((each) => [each.name, each.usual]))
    space = { candidates, usual, alternatives: new Map() }
    spaces.set(schema, space)
  }
  return space
}

/** Why a route cannot serve a request. */
export interface Refusal {
  parameter: string
  message: string
}

/** The refusal of a request by a route, or null if the route serves it. */
export type Refuse = (parameters: GenerationParameters) => Refusal | null

export interface NearestOptions {
  /** Values to begin with in place of the usual ones. */
  start?: Values
  /** Receives the parameters that refusals name. */
  named?: Set<string>
  /**
   * The values of one parameter to set before refusals are followed. Default: all values of the
   * model. With `noValues` the search only follows refusals.
   */
  beforehand?: (name: string) => readonly unknown[]
}

interface Walk {
  changeable: readonly string[]
  named: Set<string>
  /** Number of requests that this search may still try. */
  left: number
}

interface Try {
  values: Values
  changed: ReadonlySet<string>
}

export function noValues(): readonly unknown[] {
  return []
}

const changesMax = 12
const triesMax = 4_000
/** Served requests to remember: mostly the next parameter can be changed in one of them. */
const knownMax = 8

/**
 * Finds requests that a route serves by asking it. A refused request is changed in the parameter
 * that the refusal names, the nearest values first. If that finds nothing, the search begins again
 * with one other parameter changed: a refusal may name the fixed one of two incompatible values.
 *
 * A search is exact as long as a served request can be reached by the refusals and one such change.
 */
export class RequestSearch {
  /** The refusal of the request with nothing but the usual values. */
  readonly usualRefusal: Refusal | null
  readonly #space: Space
  readonly #dependencies: readonly (readonly [string, readonly string[]])[]
  readonly #refuse: Refuse
  #known: Values[] = []
  /** For each parameter that a refusal has named, whether the route takes none of its values. */
  readonly #untaken = new Map<string, boolean>()
  /** Number of requests that may still be tried. */
  #left: number

  constructor(schema: RequestSchema, refuse: Refuse, budget = 10_000) {
    this.#space = spaceOf(schema)
    this.#refuse = refuse
    this.#left = budget
    this.#dependencies = Object.entries(schema.dependentRequired ?? {})
    this.usualRefusal = this.refusalOf(this.#space.usual)
  }

  /** The request with the defaults and what is required. */
  get usual(): Values {
    return this.#space.usual
  }

  get candidates(): ReadonlyMap<string, Candidates> {
    return this.#space.candidates
  }

  /** True once the budget is used up. A request that was not found may then exist nevertheless. */
  get isExhausted(): boolean {
    return this.#left <= 0
  }

  refusalOf(values: Values): Refusal | null {
    this.#left -= 1
    for (const [name, needed] of this.#dependencies) {
      const missing = values[name] === undefined ? undefined : needed.find((other) => values[other] === undefined)
      if (missing !== undefined) return { parameter: missing, message: `${missing} is required when ${name} is given` }
    }
    return this.#refuse(parametersOf(values))
  }

  /** Remembers a served request, from which others are likely to be found. */
  know(values: Values): void {
    this.#known = [values, ...this.#known].slice(0, knownMax)
  }

  /** Whether any request with these values is served, as far as the search goes. */
  serves(fixed: Values, extent: Pick<NearestOptions, 'beforehand'> = {}): boolean {
    for (const known of this.#known) {
      if (this.isExhausted) return true
      if (this.refusalOf({ ...known, ...fixed }) === null) return true
    }
    const [start = {}] = this.#known
    const found = this.nearest(fixed, { start, ...extent })
    if (found !== null) this.know(found)
    return found !== null || this.isExhausted
  }

  /** A served request with these values that differs little from the usual one. */
  nearest(fixed: Values, { start = {}, named = new Set(), beforehand }: NearestOptions = {}): Values | null {
    const values = { ...this.#space.usual, ...start, ...fixed }
    const changeable = [...this.candidates.keys()].filter((name) => !(name in fixed))
    const walk: Walk = { changeable, named, left: triesMax }
    const found = this.#follow({ values, changed: new Set() }, walk)
    if (found !== null) return found
    for (const name of changeable) {
      for (const value of beforehand?.(name) ?? this.#alternativesOf(name)) {
        if (value === values[name]) continue
        const next = this.#follow({ values: { ...values, [name]: value }, changed: new Set([name]) }, walk)
        if (next !== null || walk.left < 0) return next
      }
    }
    return null
  }

  /** Changes the parameters that refusals name, each at most once. */
  #follow(each: Try, walk: Walk): Values | null {
    walk.left -= 1
    if (walk.left < 0 || this.isExhausted) return null
    const refusal = this.refusalOf(each.values)
    if (refusal === null) return each.values
    const { parameter } = refusal
    walk.named.add(parameter)
    if (!walk.changeable.includes(parameter) || each.changed.has(parameter) || each.changed.size === changesMax) return null
    this.#noteUntaken(parameter, each.values)
    for (const next of this.#changesOf(parameter, each)) {
      const found = this.#follow(next, walk)
      if (found !== null || walk.left < 0) return found
    }
    return null
  }

  #changesOf(name: string, { values, changed }: Try): Try[] {
    const alternatives = this.#alternativesOf(name)
    const all = this.#untaken.get(name) === true ? [...alternatives, undefined] : alternatives
    const others = all.filter((value) => value !== values[name])
    return others.map((value) => ({ values: { ...values, [name]: value }, changed: new Set([...changed, name]) }))
  }

  /**
   * A parameter with a default is left out only if the route does not take it at all. Such a route
   * refuses every value, including values that the model does not have, and names the parameter.
   */
  #noteUntaken(name: string, values: Values): void {
    const candidates = this.candidates.get(name)
    if (candidates === undefined || candidates.isRequired || this.#untaken.has(name)) return
    const isRefused = (value: unknown): boolean => this.refusalOf({ ...values, [name]: value })?.parameter === name
    this.#untaken.set(name, valuesAnywhere(candidates).every(isRefused) && !isRefused(undefined))
  }

  #alternativesOf(name: string): readonly unknown[] {
    const { candidates, alternatives: known } = this.#space
    const found = known.get(name)
    if (found !== undefined) return found
    const all = candidates.get(name)
    const made = all === undefined ? [] : alternatives(all)
    known.set(name, made)
    return made
  }
}

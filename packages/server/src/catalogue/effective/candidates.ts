import { aspectRatios, imageResolutions, videoResolutions } from '@framegate/contract'
import type { GenerationParameters } from '../generation-parameters.ts'
import type { ParameterSchema, RequestSchema } from '../model.ts'

/** Parameters by name. The value undefined means that a request leaves the parameter out. */
export interface Values {
  readonly [name: string]: unknown
}

/** The values of one parameter that a search tries on a route of the model to an upstream. */
export interface Candidates {
  name: string
  schema: ParameterSchema
  isRequired: boolean
  /**
   * The value in a request with only the defaults and the required parameters: the default,
   * undefined, or a sample value if the parameter is required.
   */
  baseValue: unknown
  /** The values to try, in the order of the schema. */
  values: readonly unknown[]
  /**
   * False if `values` has only samples of a range of numbers. Always true for texts and lists: the
   * search tries a single sample of a text, and one list of each length.
   */
  isComplete: boolean
}

/** A range with more values is sampled, and bisection finds the limits that a route serves. */
const valuesMax = 64

/** Maximum length of a list that a search tries. */
export const listItemsMax = 1_000

/** Sample value for parameters that name files. Drivers do not fetch it before a job starts. */
const sampleUrl = 'https://example.com/sample.png'

export function candidatesOf({ properties, required }: RequestSchema): Map<string, Candidates> {
  const { model: _model, ...parameters } = properties
  return new Map(
    Object.entries(parameters).map(([name, schema]) => {
      const values = valuesOf(schema)
      const isRequired = required.includes(name)
      const baseValue = schema.default ?? (isRequired ? values[0] : undefined)
      return [name, { name, schema, isRequired, baseValue, values, isComplete: isComplete(schema) }]
    }),
  )
}

/**
 * Returns all values to try: first `baseValue`, then the other values by their distance from it in
 * the order of the schema. Undefined is among them only if the parameter is optional and has no
 * default.
 */
export function alternativesTo({ baseValue, values, isRequired, schema }: Candidates): unknown[] {
  const baseIndex = values.indexOf(baseValue)
  const sortedValues =
    baseIndex === -1 ? values : values.toSorted((a, b) => distanceTo(values.indexOf(a)) - distanceTo(values.indexOf(b)))
  function distanceTo(index: number): number {
    return Math.abs(index - baseIndex)
  }
  return [...new Set([baseValue, ...sortedValues, ...(isRequired || schema.default !== undefined ? [] : [undefined])])]
}

/**
 * Values that show whether a route accepts a parameter at all: the values of the schema, and all
 * other values of the shared vocabulary.
 */
export function vocabularyValues({ name, values }: Candidates): unknown[] {
  const vocabulary = vocabulariesByName[name]?.find((sharedValues) => values.every((value) => sharedValues.includes(value)))
  return [...values, ...(vocabulary ?? [])]
}

const vocabulariesByName: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  aspect_ratio: [aspectRatios],
  resolution: [videoResolutions, imageResolutions],
  seconds: [numbersBetween(1, 60)],
}

/**
 * Whether a value has an effect. `false`, an empty string and an empty list have the same effect as
 * an omitted parameter.
 */
export function isRequested(value: unknown): boolean {
  return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** Converts values to the parameters of a request. Omits the values that are undefined. */
export function parametersOf(values: Values): GenerationParameters {
  const parameters: Record<string, unknown> = {}
  for (const name in values) if (values[name] !== undefined) parameters[name] = values[name]
  return parameters
}

function isComplete(schema: ParameterSchema): boolean {
  if (schema.const !== undefined || schema.enum) return true
  if (schema.type === 'integer') return (schema.maximum ?? Infinity) - (schema.minimum ?? -Infinity) < valuesMax
  return schema.type !== 'number'
}

function valuesOf(schema: ParameterSchema): unknown[] {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return [...schema.enum]
  switch (schema.type) {
    case 'boolean':
      return [false, true]
    case 'integer':
    case 'number':
      return isComplete(schema) ? numbersBetween(schema.minimum ?? 0, schema.maximum ?? 0) : samplesOf(schema)
    case 'array':
      return lengthsOf(schema).map((length) => Array.from({ length }, () => sampleUrl))
    case 'string':
      return [schema.pattern === undefined ? 'a' : sampleUrl]
    default:
      return [schema.default ?? {}]
  }
}

/**
 * Returns the list lengths to try: up to `valuesMax` lengths from the shortest non-empty list on,
 * and the longest allowed length.
 */
function lengthsOf({ minItems = 0, maxItems = listItemsMax }: ParameterSchema): number[] {
  const lengthMin = Math.max(1, minItems)
  const lengths = numbersBetween(lengthMin, Math.min(maxItems, lengthMin + valuesMax - 1))
  return [...new Set([...lengths, Math.min(maxItems, listItemsMax)])]
}

function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/**
 * Returns both ends of a range and some values between them. The search assumes that a route serves
 * at least one of these values if it serves any value of the range.
 */
function samplesOf({ minimum = -(2 ** 31), maximum = 2 ** 31, default: baseValue }: ParameterSchema): number[] {
  const middle = minimum + Math.floor((maximum - minimum) / 2)
  const valuesInRange = [minimum, minimum + 1, 0, 1, 100, middle, maximum].filter((value) => value >= minimum && value <= maximum)
  return [...new Set(typeof baseValue === 'number' ? [baseValue, ...valuesInRange] : valuesInRange)].toSorted((a, b) => a - b)
}

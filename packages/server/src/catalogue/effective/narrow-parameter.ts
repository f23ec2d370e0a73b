import type { ParameterSchema } from '../model.ts'
import { withItemRange } from '../shared-parameters.ts'
import { isRequested, listItemsMax } from './candidates.ts'
import type { ServedValues } from './find-served-requests.ts'

/**
 * Narrows the schema of a parameter to the union of the values that routes to upstreams serve.
 * Returns the same object if no value is removed, and null if no route accepts the parameter.
 * Values keep their order.
 */
export function narrowParameter(schema: ParameterSchema, served: readonly ServedValues[]): ParameterSchema | null {
  if (served.length === 0) return null
  const values = new Set(served.flatMap((item) => ('values' in item ? item.values.filter(isRequested) : [])))
  if (schema.type === 'array') return narrowList(schema, values)
  if (schema.enum) return narrowEnum(schema, values)
  if (isNumeric(schema) && schema.const === undefined) return narrowRange(schema, served, values)
  return schema
}

function isNumeric({ type }: ParameterSchema): boolean {
  return type === 'integer' || type === 'number'
}

function narrowEnum(schema: ParameterSchema, served: ReadonlySet<unknown>): ParameterSchema {
  const { enum: choices = [], ...others } = schema
  const remaining = choices.filter((value) => served.has(value))
  if (remaining.length === choices.length) return schema
  return allowingOnly(others, remaining)
}

function allowingOnly(schema: ParameterSchema, values: readonly (string | number | boolean)[]): ParameterSchema {
  const [firstValue, ...otherValues] = values
  return firstValue !== undefined && otherValues.length === 0 ? { ...schema, const: firstValue } : { ...schema, enum: values }
}

function narrowRange(schema: ParameterSchema, served: readonly ServedValues[], values: ReadonlySet<unknown>): ParameterSchema {
  const { minimum = -Infinity, maximum = Infinity, ...others } = schema
  const ranges = served.flatMap((item) => ('from' in item ? [item] : []))
  const integers = [...values].filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
  const from = Math.min(...integers.slice(0, 1), ...ranges.map((range) => range.from))
  const to = Math.max(...integers.slice(-1), ...ranges.map((range) => range.to))
  if (ranges.length === 0 && to - from >= integers.length) return allowingOnly(others, integers)
  if (from === minimum && to === maximum) return schema
  if (from === to) return { ...others, const: from }
  return { ...schema, ...(from > -Infinity && { minimum: from }), ...(to < Infinity && { maximum: to }) }
}

function narrowList(schema: ParameterSchema, lists: ReadonlySet<unknown>): ParameterSchema {
  const { minItems = 0, maxItems = Infinity } = schema
  const lengths = [...lists].map((list) => (Array.isArray(list) ? list.length : 0))
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  // An empty list means that the parameter is left out.
  const from = shortest <= Math.max(1, minItems) ? minItems : shortest
  const to = longest >= listItemsMax ? maxItems : longest
  return from === minItems && to === maxItems ? schema : withItemRange(schema, from, to)
}

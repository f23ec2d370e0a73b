import { isDeepStrictEqual } from 'node:util'
import { countCharacters } from '../../lib/create-ajv.ts'
import { isObject } from '../../lib/is-object.ts'
import { unreachable } from '../../lib/unreachable.ts'
import type { ParameterSchema } from '../model.ts'

/**
 * Whether a value satisfies a schema. Used for the defaults and examples of definitions instead of
 * a compiled validator: a start may read thousands of definitions, and each compilation would take
 * milliseconds.
 */
export function matchesSchema(value: unknown, schema: ParameterSchema): boolean {
  if (schema.const !== undefined && value !== schema.const) return false
  if (schema.enum !== undefined && !schema.enum.some((choice) => choice === value)) return false
  if (schema.anyOf !== undefined && !schema.anyOf.some((alternative) => matchesSchema(value, alternative))) return false
  switch (schema.type) {
    case undefined:
      return true
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string' && matchesText(value, schema)
    case 'integer':
    case 'number':
      return Number.isFinite(value) && matchesNumber(value as number, schema)
    case 'array':
      return Array.isArray(value) && matchesList(value, schema)
    case 'object':
      return isObject(value) && matchesObject(value, schema)
    default:
      return unreachable(schema.type)
  }
}

function matchesText(text: string, { minLength = 0, maxLength = Infinity, pattern }: ParameterSchema): boolean {
  const length = countCharacters(text)
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
}

/**
 * Number of decimals to which `multipleOf` compares a quotient with an integer. The quotient is not
 * exact: 0.3 / 0.1 is slightly less than 3.
 */
export const multipleOfDecimals = 6

function matchesNumber(value: number, schema: ParameterSchema): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  if (schema.type === 'integer' && !Number.isInteger(value)) return false
  if (value < minimum || value > maximum || value <= exclusiveMinimum || value >= exclusiveMaximum) return false
  if (schema.multipleOf === undefined) return true
  const steps = value / schema.multipleOf
  return Math.abs(Math.round(steps) - steps) <= 10 ** -multipleOfDecimals
}

function matchesList(
  list: readonly unknown[],
  { minItems = 0, maxItems = Infinity, uniqueItems, items }: ParameterSchema,
): boolean {
  if (list.length < minItems || list.length > maxItems) return false
  if (uniqueItems === true && list.some((item, index) => list.findIndex((other) => isDeepStrictEqual(other, item)) !== index))
    return false
  return items === undefined || list.every((item) => matchesSchema(item, items))
}

function matchesObject(value: Readonly<Record<string, unknown>>, schema: ParameterSchema): boolean {
  const { properties = {}, required = [], additionalProperties = true, maxProperties = Infinity } = schema
  const names = Object.keys(value)
  if (names.length > maxProperties || required.some((name) => !Object.hasOwn(value, name))) return false
  return names.every((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return property === undefined ? additionalProperties : matchesSchema(value[name], property)
  })
}

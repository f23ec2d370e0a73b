import type { ParameterSchema } from '../../catalogue/model.ts'
import { isObject } from '../../lib/is-object.ts'

const numberPattern = /^-?\d{1,15}(\.\d{1,9})?$/

/**
 * Converts the text of a form field to the type of its parameter. If the text cannot be converted,
 * returns it unchanged, so that the validation reports it.
 */
export function coerceText(value: unknown, schema: ParameterSchema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => coerceText(item, schema?.items))
  if (isObject(value)) {
    const properties = schema?.properties ?? {}
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        coerceText(field, Object.hasOwn(properties, name) ? properties[name] : undefined),
      ]),
    )
  }
  if (typeof value !== 'string' || schema === undefined) return value
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numberPattern.test(value) ? Number(value) : value
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value
    case 'array':
      return [coerceText(value, schema.items)]
    default:
      return value
  }
}

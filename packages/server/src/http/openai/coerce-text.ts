import type { ParameterSchema } from '../../catalogue/model.ts'

const numberPattern = /^-?\d{1,15}(\.\d{1,9})?$/

/**
 * The value that a text of a form stands for, as the schema of its parameter has it. A text that
 * stands for no such value is returned unchanged, so that the check of the parameter refuses it.
 */
export function coerceText(value: unknown, schema: ParameterSchema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => coerceText(item, schema?.items))
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

import type { ParameterSchema } from '../model.ts'
import { imageOrDataUriPattern } from '../shared-parameters.ts'
import { matchesSchema } from './matches-schema.ts'

const promptText = 'A red fox in a meadow at dawn'
const imageUrl = 'https://example.com/image.png'

/**
 * Returns an example request with the required parameters and a prompt, or an empty list if the
 * values that it would have are invalid.
 */
export function exampleOf(
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
): Record<string, unknown>[] {
  const neededNames = new Set(['prompt', ...required, ...(required.includes('last_frame') ? ['first_frame'] : [])])
  const names = Object.keys(parameters).filter((name) => neededNames.has(name))
  const example = Object.fromEntries(names.map((name) => [name, valueFor(name, parameters[name])]))
  const isValid = names.every((name) => {
    const schema = parameters[name]
    return schema !== undefined && matchesSchema(example[name], schema)
  })
  return isValid ? [example] : []
}

function valueFor(name: string, schema: ParameterSchema | undefined): unknown {
  if (schema === undefined) return undefined
  const { default: defaultValue, const: constant, enum: choices, anyOf } = schema
  if (defaultValue !== undefined) return defaultValue
  if (constant !== undefined) return constant
  if (choices !== undefined) return choices[0]
  if (anyOf !== undefined) return valueFor(name, anyOf[0])
  switch (schema.type) {
    case 'string':
      return textFor(name, schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? schema.maximum ?? schema.multipleOf ?? 1
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => valueFor(name, schema.items))
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((inner) => [inner, valueFor(inner, schema.properties?.[inner])]))
    default:
      return undefined
  }
}

function textFor(name: string, { pattern, format, minLength = 0, maxLength = Infinity }: ParameterSchema): string {
  if (pattern === imageOrDataUriPattern || format === 'uri' || /(^|_)url$/.test(name)) return imageUrl
  return promptText.padEnd(minLength, '.').slice(0, maxLength)
}

import { describeAllowed, listOf, readableNumber } from './describe-schema.ts'
import type { ParameterSchema } from './model.ts'
import { audioPattern, imageOrDataUriPattern, publicImagePattern, videoPattern } from './shared-parameters.ts'

/**
 * The allowed values of a parameter in a short form for tables: "720p or 1080p", "3 to 15", "0 to 7
 * images".
 */
export function allowedValues(schema: ParameterSchema): string {
  const { type, minimum, maximum, minItems = 0, maxItems, minLength = 0, maxLength } = schema
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum) return listOf(schema.enum)
  if ((type === 'integer' || type === 'number') && minimum !== undefined && maximum !== undefined)
    return `${minimum} to ${maximum}`
  if (type === 'array') return `${minItems} to ${maxItems ?? '∞'} ${fileNoun(schema.items) ?? 'item'}s`
  const noun = fileNoun(schema)
  if (noun !== undefined) return noun
  if (type === 'string' && maxLength !== undefined) return `${minLength} to ${readableNumber(maxLength)} characters`
  return describeAllowed(schema)
}

function fileNoun(schema: ParameterSchema | undefined): string | undefined {
  return schema?.pattern === undefined ? undefined : nounByPattern[schema.pattern]
}

const nounByPattern: Readonly<Record<string, string>> = {
  [imageOrDataUriPattern]: 'image',
  [publicImagePattern]: 'image',
  [videoPattern]: 'video',
  [audioPattern]: 'sound',
}

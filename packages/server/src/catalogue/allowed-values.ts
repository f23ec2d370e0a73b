import { listOf, readableNumber } from './describe-schema.ts'
import type { ParameterSchema } from './model.ts'
import { audioPattern, videoPattern } from './shared-parameters.ts'

/**
 * The allowed values of a parameter in a short form for tables: "720p or 1080p", "3 to 15", "0 to 7
 * images".
 */
export function allowedValues(schema: ParameterSchema): string {
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum) return listOf(schema.enum)
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'array') return `${schema.minItems ?? 0} to ${schema.maxItems} ${nounOf(schema.items)}s`
  if (schema.type === 'boolean') return 'true or false'
  return schema.maxLength === undefined
    ? nounOf(schema)
    : `${schema.minLength ?? 0} to ${readableNumber(schema.maxLength)} characters`
}

function nounOf(schema: ParameterSchema | undefined): string {
  if (schema?.pattern === videoPattern) return 'video'
  return schema?.pattern === audioPattern ? 'sound' : 'image'
}

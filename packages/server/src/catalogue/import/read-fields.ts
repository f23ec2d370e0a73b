import { capitalize } from '../../lib/capitalized.ts'
import { isObject } from '../../lib/is-object.ts'
import { cleanSchema, UnusableField } from './clean-schema.ts'
import { fieldsMax } from './import-limits.ts'
import { ImportError } from './import-error.ts'
import type { ImportNote } from './imported-model.ts'
import type { ForeignField } from './map-input.ts'
import { shortName, type ResolvedSchema } from './resolve-schema.ts'

/**
 * Returns the fields of a resolved input schema, in the order of the document. A field that cannot
 * become a parameter is left out with a note. If such a field is required, the import is refused.
 */
export function readFields(schema: ResolvedSchema, modelName: string, notes: ImportNote[]): ForeignField[] {
  const { properties, required } = schema
  if (!isObject(properties)) throw new ImportError(`The input of ${modelName} has no fields.`)
  const entries = Object.entries(properties)
  if (entries.length === 0) throw new ImportError(`The input of ${modelName} has no fields.`)
  if (entries.length > fieldsMax) throw new ImportError(`The input of ${modelName} has more than ${fieldsMax} fields.`)
  if (required !== undefined && !Array.isArray(required))
    throw new ImportError(`The required fields of ${modelName} must be a list.`)
  const names = new Set((required ?? []).map(String))
  for (const name of names) {
    if (Object.hasOwn(properties, name)) continue
    notes.push({ field: shortName(name), message: 'It was left out: the schema requires this field, but does not define it.' })
  }
  return entries.flatMap(([name, property]) => readField(name, property as ResolvedSchema, names.has(name), notes))
}

function readField(name: string, schema: ResolvedSchema, isRequired: boolean, notes: ImportNote[]): ForeignField[] {
  const field = shortName(name)
  try {
    const cleanedSchema = cleanSchema(schema, field, (note) => {
      notes.push({ field, message: `${capitalize(note)}.` })
    })
    const isSecret = schema['format'] === 'password' || schema['x-cog-secret'] === true
    return [{ name, schema: cleanedSchema, isRequired, ...(isSecret && { isSecret }) }]
  } catch (error) {
    if (!(error instanceof UnusableField)) throw error
    if (isRequired) throw new ImportError(`The model requires the field ${field}, which ${error.message}.`, { cause: error })
    notes.push({ field, message: `It was left out: it ${error.message}.` })
    return []
  }
}

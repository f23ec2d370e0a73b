import type { ModelDefinition, ParameterSchema } from '../packages/server/src/catalogue/model.ts'

/** Returns the documentation comment of a model in the types of the SDK and the Python client. */
export function modelNotes({ description, availability }: ModelDefinition): string {
  return [
    description,
    ...(availability.available ? [] : ['Invocable only after an operator has enabled it for the brand.']),
  ].join(' ')
}

/**
 * Returns the documentation comment of a parameter in the types of the SDK and the Python client:
 * meaning, bounds and default.
 */
export function parameterNotes(schema: ParameterSchema): string {
  return [schema.description ?? '', boundsInWords(schema), defaultInWords(schema)].filter((note) => note !== '').join(' ')
}

function boundsInWords({
  type,
  const: constant,
  enum: choices,
  minimum,
  maximum,
  minLength,
  maxLength,
}: ParameterSchema): string {
  if (constant !== undefined || choices) return ''
  if (type === 'integer') return `${minimum} to ${maximum}.`
  return maxLength === undefined ? '' : `${minLength ?? 0} to ${maxLength} characters.`
}

function defaultInWords(schema: ParameterSchema): string {
  return schema.default === undefined
    ? ''
    : `Default: ${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}.`
}

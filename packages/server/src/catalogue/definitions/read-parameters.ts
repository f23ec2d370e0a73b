import type { FieldPath } from '../../lib/field-violation.ts'
import { isObject } from '../../lib/is-object.ts'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { isSharedName, parameterNames, type ParameterName } from '../generation-parameters.ts'
import type { ParameterSchema } from '../model.ts'
import { parametersMax } from './definition-limits.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { matchesSchema } from './matches-schema.ts'
import { isPropertyName, propertyNameRule, readParameterSchema } from './read-parameter-schema.ts'
import { withItemRange } from '../shared-parameters.ts'
import { narrowingKeywords, sharedDefinition, widestBounds } from './shared-definitions.ts'

/**
 * Names that no parameter may have: other fields of a submit, and fields that the service stores
 * with the parameters of a task.
 */
export const reservedFields = [
  'model',
  'simulate',
  'max_amount',
  'improve_prompt',
  'webhook_url',
  'billed_inputs',
  'remixed_from_video_id',
]

/** Reads the parameters of a definition by name, in the order of the definition. */
export function readParameters(
  raw: unknown,
  object: 'image' | 'video',
  reader: DefinitionReader,
): Record<string, ParameterSchema> {
  const parameters: Record<string, ParameterSchema> = {}
  if (!isObject(raw)) {
    reader.addViolation(['parameters'], 'must be a map from names to JSON Schemas, such as {"prompt": {}}')
    return parameters
  }
  const names = Object.keys(raw)
  if (names.length > parametersMax) {
    reader.addViolation(['parameters'], `must have at most ${parametersMax} parameters`)
    return parameters
  }
  for (const name of names) {
    const path = ['parameters', name]
    const schema = readParameter(name, raw[name], object, path, reader)
    if (schema !== undefined) parameters[name] = schema
  }
  return parameters
}

function readParameter(
  name: string,
  raw: unknown,
  object: 'image' | 'video',
  path: FieldPath,
  reader: DefinitionReader,
): ParameterSchema | undefined {
  if (isSharedName(name)) return readShared(name, raw, object, path, reader)
  if (reservedFields.includes(name))
    reader.addViolation(path, 'is the name of another field of requests or tasks and cannot be a parameter')
  else if (!isPropertyName(name)) reader.addViolation(path, propertyNameRule)
  else if (isObject(raw) && Object.keys(raw).length === 0) {
    reader.addViolation(path, `must have a type; it may be omitted only for the shared parameters: ${parameterNames.join(', ')}`)
  } else return readParameterSchema(raw, path, reader)
  return undefined
}

function readShared(
  name: ParameterName,
  raw: unknown,
  object: 'image' | 'video',
  path: FieldPath,
  reader: DefinitionReader,
): ParameterSchema | undefined {
  const sharedSchema = sharedDefinition(object, name)
  if (sharedSchema === undefined) {
    reader.addViolation(path, `is not a parameter of ${object} models`)
    return undefined
  }
  if (!isObject(raw)) {
    reader.addViolation(path, 'must be {} for the shared definition, or an object with keywords that narrow it')
    return undefined
  }
  const knownKeywords = narrowingKeywords(name)
  const violationsBefore = reader.violations.length
  reader.requireOnly(raw, knownKeywords, path, `a keyword that can narrow ${name}; the keywords are ${knownKeywords.join(', ')}`)
  if (raw['type'] !== undefined && raw['type'] !== sharedSchema.type) {
    reader.addViolation(
      [...path, 'type'],
      `must be ${sharedSchema.type}, as in the shared definition of ${name}; rename the parameter if it has another type`,
    )
  }
  if (reader.violations.length > violationsBefore) return undefined
  // `readParameterSchema` rejects the patterns of shared parameters and of their items, so both are
  // added afterwards.
  const { items, pattern, ...plainSchema } = sharedSchema
  const mergedSchema = { ...(hasChoices(raw) ? omitKeywords(plainSchema, rangeKeywords) : plainSchema), ...raw }
  const schemaWithDefault =
    'default' in raw ? mergedSchema : { ...mergedSchema, default: fittingDefault(plainSchema, mergedSchema) }
  const parsedSchema =
    items === undefined && pattern === undefined
      ? readParameterSchema(schemaWithDefault, path, reader)
      : readParameterSchema({ ...mergedSchema, ...(items !== undefined && { items: { type: 'string' } }) }, path, reader)
  if (parsedSchema === undefined) return undefined
  refusePrototypeNames(parsedSchema, path, reader)
  requireWithin(parsedSchema, widestBounds[name], path, reader)
  if (items !== undefined) {
    const { minItems = 0, maxItems = 0 } = parsedSchema
    const { description } = 'description' in raw ? parsedSchema : withItemRange(plainSchema, minItems, maxItems)
    return { ...parsedSchema, items, ...(description !== undefined && { description }) }
  }
  // The pattern of a reference also limits the length of the reference.
  return pattern === undefined ? parsedSchema : { ...omitKeywords(parsedSchema, ['maxLength']), pattern }
}

const rangeKeywords = ['enum', 'const', 'minimum', 'maximum'] as const

function hasChoices(raw: Readonly<Record<string, unknown>>): boolean {
  return 'enum' in raw || 'const' in raw
}

function omitKeywords(schema: ParameterSchema, keywords: readonly (keyof ParameterSchema)[]): ParameterSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.some((keyword) => keyword === name)))
}

/**
 * Reports values that are also properties of every JavaScript object. Drivers and prices look up
 * values of shared parameters by name, such as a resolution.
 */
function refusePrototypeNames(
  { enum: choices = [], const: constant }: ParameterSchema,
  path: FieldPath,
  reader: DefinitionReader,
): void {
  const unsafe = [...choices, constant].find((choice) => typeof choice === 'string' && isPrototypeName(choice))
  if (unsafe !== undefined)
    reader.addViolation(path, `must not have the value ${String(unsafe)}, which is a property of every JavaScript object`)
}

/**
 * Returns the shared default if the keywords of the definition accept it. Otherwise, returns the
 * constant, the first choice, or a number within the bounds and near the shared default. Undefined
 * if the shared definition has no default.
 */
function fittingDefault(shared: ParameterSchema, merged: Readonly<Record<string, unknown>>): unknown {
  const defaultValue = shared.default
  if (defaultValue === undefined) return undefined
  const { const: constant, enum: choices, minimum, maximum, multipleOf: step } = merged
  if (constant !== undefined) return constant
  if (Array.isArray(choices)) return choices.includes(defaultValue) ? defaultValue : (choices[0] as unknown)
  if (typeof defaultValue !== 'number') return defaultValue
  const low = typeof minimum === 'number' ? minimum : -Infinity
  const high = typeof maximum === 'number' ? maximum : Infinity
  const boundedDefault = Math.min(Math.max(defaultValue, low), high)
  if (typeof step !== 'number' || step <= 0) return boundedDefault
  const multiple = Math.ceil(boundedDefault / step) * step
  return multiple > high ? multiple - step : multiple
}

/** Reports keywords that exceed the widest bounds of a shared parameter. */
function requireWithin(
  parsed: ParameterSchema,
  limits: ParameterSchema | undefined,
  path: FieldPath,
  reader: DefinitionReader,
): void {
  if (limits === undefined) return
  for (const keyword of ['maxLength', 'maxItems', 'maximum'] as const) {
    const limit = limits[keyword]
    if (limit !== undefined && (parsed[keyword] ?? 0) > limit) reader.addViolation([...path, keyword], `must be at most ${limit}`)
  }
  const { minimum } = limits
  if (minimum !== undefined && (parsed.minimum ?? minimum) < minimum)
    reader.addViolation([...path, 'minimum'], `must be at least ${minimum}`)
  const { minimum: low = -Infinity, maximum: high = Infinity } = limits
  const choices = [...(parsed.enum ?? []), parsed.const].filter((choice) => typeof choice === 'number')
  if (choices.some((choice) => choice < low || choice > high))
    reader.addViolation([...path, 'enum'], `must have values from ${low} to ${high}`)
}

/** Returns why the parameters do not accept an example, or null if they accept it. */
export function findExampleViolation(
  example: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
): string | null {
  const missingName = required.find((name) => !Object.hasOwn(example, name))
  if (missingName !== undefined) return `must have ${missingName}, which the model requires`
  if ('last_frame' in example && 'first_frame' in parameters && !('first_frame' in example))
    return 'must have first_frame, because it has last_frame'
  for (const [name, value] of Object.entries(example)) {
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (schema === undefined) return `must not have ${name}, which is not a parameter of the model`
    if (!matchesSchema(value, schema)) return `must have a valid value for ${name}`
  }
  return null
}

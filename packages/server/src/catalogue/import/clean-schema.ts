import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../lib/is-object.ts'
import { defaultItemsMax, defaultTextCharactersMax } from '../definitions/definition-limits.ts'
import { isEmptyRange } from '../definitions/is-empty-range.ts'
import { isLinearPattern } from '../definitions/linear-pattern.ts'
import { matchesSchema } from '../definitions/matches-schema.ts'
import { isPropertyName } from '../definitions/read-parameter-schema.ts'
import type { ParameterSchema } from '../model.ts'
import { descriptionOf, titleOf } from './foreign-text.ts'
import { alternativesMax, choiceCharactersMax, choicesMax, listItemsMax, textCharactersMax } from './import-limits.ts'
import { ImportError } from './import-error.ts'
import type { ResolvedSchema } from './resolve-schema.ts'

/**
 * Error for a field that cannot become a parameter. The message completes a sentence such as "It
 * was left out, because it …".
 */
export class UnusableField extends Error {
  override readonly name = 'UnusableField'
}

/** Keywords that restrict a value and are dropped. The provider still enforces them. */
const droppedKeywords = [
  'patternProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
  '$data',
  'contentEncoding',
  'contentMediaType',
]
const allowedFormats = new Set(['uri', 'date', 'date-time', 'email', 'uuid'])

/**
 * Converts a resolved schema of any OpenAPI or JSON Schema dialect into the keywords of a
 * definition. Calls `report` for the keywords of `droppedKeywords`, a dropped pattern and an
 * invalid default. Throws `UnusableField`, and `ImportError` if an enum or a bound is malformed or
 * a limit is exceeded.
 */
export function cleanSchema(schema: ResolvedSchema, subject: string, report: (note: string) => void): ParameterSchema {
  const presentKeywords = droppedKeywords.filter((keyword) => keyword in schema)
  if (schema['pattern'] !== undefined && patternIn(schema) === undefined) presentKeywords.unshift('pattern')
  if (presentKeywords.length > 0) {
    const [verb, pronoun] = presentKeywords.length === 1 ? ['was', 'it'] : ['were', 'them']
    report(`its ${presentKeywords.join(', ')} ${verb} not kept; the provider still applies ${pronoun}`)
  }
  const nonNullSchema = withoutNull(schema)
  const alternatives = nonNullSchema['anyOf']
  const cleanedSchema = Array.isArray(alternatives)
    ? cleanUnion(alternatives as ResolvedSchema[], subject, report)
    : cleanTyped(nonNullSchema, subject, report)
  const title = titleOf(nonNullSchema['title'])
  const description = descriptionOf(nonNullSchema['description'])
  const annotatedSchema: ParameterSchema = {
    ...cleanedSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
  const { default: defaultValue } = nonNullSchema
  const isEmpty = Array.isArray(defaultValue) && defaultValue.length === 0
  if (defaultValue === undefined || defaultValue === null || isEmpty) return annotatedSchema
  if (matchesSchema(defaultValue, annotatedSchema)) return { ...annotatedSchema, default: defaultValue }
  report('its default was left out, because it is not valid for its own schema')
  return annotatedSchema
}

/**
 * Removes the alternative null in each of its forms, because a request leaves a parameter out
 * instead of sending null.
 */
function withoutNull(schema: ResolvedSchema): ResolvedSchema {
  const { anyOf, type, nullable: _nullable, enum: choices, ...others } = schema
  const rest: Record<string, unknown> = { ...others }
  if (Array.isArray(type)) {
    const types = type.filter((typeName) => typeName !== 'null')
    if (types.length !== 1) throw new UnusableField('has several types')
    rest['type'] = types[0]
  } else if (type !== undefined) rest['type'] = type
  if (Array.isArray(choices)) rest['enum'] = choices.filter((choice) => choice !== null)
  else if (choices !== undefined) rest['enum'] = choices
  if (!Array.isArray(anyOf)) return rest
  const alternatives = (anyOf as ResolvedSchema[]).filter((alternative) => alternative['type'] !== 'null')
  const [alternative] = alternatives
  if (alternatives.length === 1 && alternative !== undefined) return withoutNull({ ...alternative, ...rest })
  return { ...rest, anyOf: alternatives }
}

function cleanUnion(alternatives: readonly ResolvedSchema[], subject: string, report: (note: string) => void): ParameterSchema {
  if (alternatives.length > alternativesMax) {
    throw new ImportError(`The schema of ${subject} has more than ${alternativesMax} alternatives.`)
  }
  const cleanedAlternatives = alternatives.map((alternative) => cleanSchema(alternative, subject, report))
  const [firstAlternative] = cleanedAlternatives
  if (firstAlternative === undefined) throw new UnusableField('has no type')
  // If one alternative accepts any text, the texts of the other alternatives are only suggestions.
  const types = new Set(cleanedAlternatives.map(({ type }) => type))
  if (types.size === 1 && firstAlternative.type === 'string') {
    const unrestricted = cleanedAlternatives.find((schema) => schema.enum === undefined)
    return unrestricted ?? { type: 'string', enum: [...new Set(cleanedAlternatives.flatMap((schema) => schema.enum ?? []))] }
  }
  return { anyOf: cleanedAlternatives }
}

function cleanTyped(schema: ResolvedSchema, subject: string, report: (note: string) => void): ParameterSchema {
  const type = typeOf(schema)
  switch (type) {
    case 'string':
      return keepSatisfiableChoices({
        type,
        ...choicesIn(schema, subject, (value) => typeof value === 'string'),
        ...textBounds(schema),
        ...formatIn(schema),
        ...patternIn(schema),
      })
    case 'integer':
    case 'number':
      return keepSatisfiableChoices({
        type,
        ...choicesIn(schema, subject, isNumberOf(type)),
        ...numberBounds(schema, type, subject),
      })
    case 'boolean':
      return { type }
    case 'array':
      return cleanList(schema, subject, report)
    default:
      return cleanObject(schema, subject, report)
  }
}

/**
 * Removes choices that are outside the bounds of the same schema. Throws `UnusableField` if the
 * schema accepts no value.
 */
function keepSatisfiableChoices(schema: ParameterSchema): ParameterSchema {
  if (isEmptyRange(schema)) throw new UnusableField('has bounds that leave no valid value')
  const { enum: choices, ...bounds } = schema
  if (choices === undefined) return schema
  const satisfiableChoices = choices.filter((choice) => matchesSchema(choice, bounds))
  if (satisfiableChoices.length === 0) throw new UnusableField('has an enum whose values are all outside its bounds')
  return { ...schema, enum: satisfiableChoices }
}

const schemaTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const

function typeOf(schema: ResolvedSchema): (typeof schemaTypes)[number] {
  const { type, enum: choices, const: constant } = schema
  const schemaType = schemaTypes.find((candidate) => candidate === type)
  if (schemaType !== undefined) return schemaType
  if (type !== undefined) throw new UnusableField(`has the unknown type ${JSON.stringify(type).slice(0, 40)}`)
  if ('properties' in schema) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  const values: unknown[] = Array.isArray(choices) ? choices : [constant]
  if (values.every((value) => typeof value === 'string')) return 'string'
  if (values.every((value) => typeof value === 'number')) return values.every(Number.isInteger) ? 'integer' : 'number'
  throw new UnusableField('has no type')
}

function isNumberOf(type: 'integer' | 'number'): (value: unknown) => boolean {
  return (value) => (type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number' && Number.isFinite(value))
}

function choicesIn(
  { enum: rawChoices, const: constant }: ResolvedSchema,
  subject: string,
  isOfType: (value: unknown) => boolean,
): Pick<ParameterSchema, 'enum'> {
  if (rawChoices === undefined && constant === undefined) return {}
  const choices: unknown[] = rawChoices === undefined ? [constant] : Array.isArray(rawChoices) ? rawChoices : []
  if (choices.length === 0) throw new ImportError(`The enum of ${subject} must be a list with at least one value.`)
  if (choices.length > choicesMax) throw new ImportError(`The enum of ${subject} has more than ${choicesMax} values.`)
  const hasLongChoice = choices.some((choice) => typeof choice === 'string' && choice.length > choiceCharactersMax)
  if (hasLongChoice) throw new ImportError(`The enum of ${subject} has a value of more than ${choiceCharactersMax} characters.`)
  if (!choices.every(isOfType)) throw new UnusableField('has an enum whose values are of another type')
  return { enum: [...new Set(choices)] as (string | number)[] }
}

function textBounds({ minLength, maxLength }: ResolvedSchema): ParameterSchema {
  const min = clampedCount(minLength, textCharactersMax)
  const max = clampedCount(maxLength, textCharactersMax)
  if (min !== undefined && min > (max ?? defaultTextCharactersMax))
    throw new UnusableField(`has a minLength above ${max === undefined ? defaultTextCharactersMax : 'its maxLength'}`)
  return { ...(min !== undefined && min > 0 && { minLength: min }), ...(max !== undefined && { maxLength: max }) }
}

function formatIn({ format }: ResolvedSchema): ParameterSchema {
  return typeof format === 'string' && allowedFormats.has(format) ? { format } : {}
}

/** Returns the pattern of a schema, or undefined if matching could take more than linear time. */
function patternIn({ pattern }: ResolvedSchema): Pick<ParameterSchema, 'pattern'> | undefined {
  return typeof pattern === 'string' && isLinearPattern(pattern) ? { pattern } : undefined
}

function clampedCount(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : undefined
}

function numberBounds(schema: ResolvedSchema, type: 'integer' | 'number', subject: string): ParameterSchema {
  const bound = (value: unknown): number | undefined => {
    if (typeof value !== 'number') return undefined
    if (!Number.isFinite(value)) throw new ImportError(`The schema of ${subject} has a bound that is not a number.`)
    // ComfyUI has seeds up to 2^64 - 1, which a JavaScript number cannot represent exactly.
    const safe = Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    return type === 'integer' ? Math.trunc(safe) : safe
  }
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const minimum = bound(schema['minimum']) ?? bound(schema['ge'])
  const maximum = bound(schema['maximum']) ?? bound(schema['le'])
  const lowerBound = exclusiveMinimum === true ? minimum : bound(exclusiveMinimum)
  const upperBound = exclusiveMaximum === true ? maximum : bound(exclusiveMaximum)
  if ((minimum ?? -Infinity) > (maximum ?? Infinity)) throw new UnusableField('has a minimum above its maximum')
  const step = bound(multipleOf)
  return {
    ...(minimum !== undefined && exclusiveMinimum !== true && { minimum }),
    ...(maximum !== undefined && exclusiveMaximum !== true && { maximum }),
    ...(lowerBound !== undefined && { exclusiveMinimum: lowerBound }),
    ...(upperBound !== undefined && { exclusiveMaximum: upperBound }),
    ...(step !== undefined && step > 0 && { multipleOf: step }),
  }
}

function cleanList(schema: ResolvedSchema, subject: string, report: (note: string) => void): ParameterSchema {
  const { items, prefixItems } = schema
  const itemSchema = items ?? commonItemSchema(prefixItems)
  if (!isObject(itemSchema))
    throw new UnusableField(prefixItems === undefined ? 'is a list without items' : 'is a list of different items')
  const tupleLength = Array.isArray(prefixItems) ? prefixItems.length : undefined
  const minItems = clampedCount(schema['minItems'], listItemsMax) ?? tupleLength
  const maxItems = clampedCount(schema['maxItems'], listItemsMax) ?? tupleLength
  if (minItems !== undefined && minItems > (maxItems ?? defaultItemsMax))
    throw new UnusableField(`has a minItems above ${maxItems === undefined ? defaultItemsMax : 'its maxItems'}`)
  return {
    type: 'array',
    items: cleanSchema(itemSchema, subject, report),
    ...(minItems !== undefined && minItems > 0 && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  }
}

function withoutAnnotations(schema: ResolvedSchema | undefined): unknown {
  return { ...schema, title: null, description: null }
}

/** Returns the schema of a tuple's items if all of them have the same schema. */
function commonItemSchema(prefixItems: unknown): unknown {
  if (!Array.isArray(prefixItems)) return undefined
  const [firstSchema, ...otherSchemas] = prefixItems as ResolvedSchema[]
  const plainSchema = withoutAnnotations(firstSchema)
  return otherSchemas.every((schema) => isDeepStrictEqual(withoutAnnotations(schema), plainSchema)) ? firstSchema : undefined
}

function cleanObject(schema: ResolvedSchema, subject: string, report: (note: string) => void): ParameterSchema {
  const properties: Record<string, ParameterSchema> = {}
  const providerProperties = isObject(schema['properties']) ? schema['properties'] : {}
  if (Object.keys(providerProperties).length === 0) throw new UnusableField('is an object without properties')
  const required = [...new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : [])]
  for (const [name, property] of Object.entries(providerProperties)) {
    if (isPropertyName(name)) properties[name] = cleanSchema(property as ResolvedSchema, subject, report)
    else if (required.includes(name))
      throw new UnusableField('requires a property whose name has other characters than letters, digits, dashes and underscores')
  }
  const requiredNames = required.filter((name) => Object.hasOwn(properties, name))
  return { type: 'object', properties, ...(requiredNames.length > 0 && { required: requiredNames }), additionalProperties: false }
}

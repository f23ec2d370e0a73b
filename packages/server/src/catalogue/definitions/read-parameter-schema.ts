import type { FieldPath } from '../../lib/field-violation.ts'
import { isObject } from '../../lib/is-object.ts'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { parameterTypes, type ParameterSchema, type ParameterType } from '../model.ts'
import {
  alternativesMax,
  choiceCharactersMax,
  choicesMax,
  defaultItemsMax,
  defaultTextCharactersMax,
  descriptionCharactersMax,
  itemsMax,
  parametersMax,
  schemaDepthMax,
  textCharactersMax,
  titleCharactersMax,
} from './definition-limits.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { isEmptyRange } from './is-empty-range.ts'
import { isLinearPattern } from './linear-pattern.ts'
import { matchesSchema } from './matches-schema.ts'

/**
 * Reads the JSON Schema of one parameter. Definitions may come from untrusted sources, so only
 * listed keywords are allowed. Each of them can be checked in linear time, refers to no other
 * document, and can be explained to a client. A list, or a text without choices, gets a default
 * maximum length if it has none.
 */

const annotationKeywords = ['title', 'description', 'default', 'examples', 'x-advanced'] as const
const keywordsOfType = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'],
  boolean: ['enum', 'const'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
} as const satisfies Record<ParameterType, readonly (keyof ParameterSchema)[]>

/**
 * Accepted values of `format`. The service does not check values against a format, which is only a
 * hint for people and forms.
 */
const allowedFormats = ['uri', 'date', 'date-time', 'email', 'uuid', 'password']
const propertyNamePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
export const propertyNameRule =
  'must be a name of 1 to 64 letters, digits, dashes and underscores that begins with a letter or an underscore, and must not be ' +
  'a property of every JavaScript object, such as constructor'

export function isPropertyName(name: string): boolean {
  return propertyNamePattern.test(name) && !isPrototypeName(name)
}

export function readParameterSchema(
  raw: unknown,
  path: FieldPath,
  reader: DefinitionReader,
  depth = 1,
): ParameterSchema | undefined {
  if (!isObject(raw)) {
    reader.addViolation(path, 'must be a JSON Schema, such as {"type": "string"}')
    return undefined
  }
  if (depth > schemaDepthMax) {
    reader.addViolation(path, `is nested more than ${schemaDepthMax} levels deep`)
    return undefined
  }
  if (!reader.countSchema(path)) return undefined
  const violationsBefore = reader.violations.length
  requireSupported(raw, path, reader)
  if (reader.violations.length > violationsBefore) return undefined
  const type = readType(raw, path, reader)
  if (type === undefined && !('anyOf' in raw)) return undefined
  const knownKeywords: readonly string[] = [
    'type',
    ...annotationKeywords,
    ...(type === undefined ? ['anyOf'] : keywordsOfType[type]),
  ]
  reader.requireOnly(
    raw,
    knownKeywords,
    path,
    `a keyword for ${type === undefined ? 'anyOf' : `the type ${type}`}; those are ${knownKeywords.join(', ')}`,
  )
  const schema: ParameterSchema = {
    ...(type !== undefined && { type }),
    ...readAnnotations(raw, path, reader),
    ...(type === undefined ? { anyOf: readAlternatives(raw['anyOf'], path, reader, depth) } : {}),
    ...((type === 'string' || type === 'boolean' || type === 'integer' || type === 'number') &&
      readChoices(raw, type, path, reader)),
    ...(type === 'string' && readTextBounds(raw, path, reader)),
    ...((type === 'integer' || type === 'number') && readNumberBounds(raw, type, path, reader)),
    ...(type === 'array' && readListBounds(raw, path, reader, depth)),
    ...(type === 'object' && readObjectBounds(raw, path, reader, depth)),
  }
  if (reader.violations.length > violationsBefore) return undefined
  requireSatisfiable(schema, path, reader)
  if (reader.violations.length > violationsBefore) return undefined
  if (schema.default !== undefined && !matchesSchema(schema.default, schema)) {
    reader.addViolation([...path, 'default'], 'must be a valid value of the parameter')
    return undefined
  }
  return schema
}

/** Reports keywords that contradict each other. */
function requireSatisfiable(schema: ParameterSchema, path: FieldPath, reader: DefinitionReader): void {
  const { enum: choices = [], const: constant, ...bounds } = schema
  const invalidIndex = choices.findIndex((choice) => !matchesSchema(choice, bounds))
  if (invalidIndex !== -1) reader.addViolation([...path, 'enum', invalidIndex], 'must be valid for the other keywords')
  const isAllowed =
    constant === undefined || (matchesSchema(constant, bounds) && (choices.length === 0 || choices.includes(constant)))
  if (!isAllowed) reader.addViolation([...path, 'const'], 'must be valid for the other keywords')
  if (isEmptyRange(schema)) reader.addViolation(path, 'must have bounds that leave at least one valid value')
}

function readType(raw: Readonly<Record<string, unknown>>, path: FieldPath, reader: DefinitionReader): ParameterType | undefined {
  const { type } = raw
  const parameterType = parameterTypes.find((candidate) => candidate === type)
  if (parameterType !== undefined) return parameterType
  if (type === undefined && 'anyOf' in raw) return undefined
  if (type === undefined) {
    const choices = 'const' in raw ? [raw['const']] : Array.isArray(raw['enum']) ? raw['enum'] : []
    const types = new Set(choices.map(typeOfChoice))
    const [onlyType] = types
    if (types.size === 1 && onlyType !== undefined) return onlyType
  }
  const hint = Array.isArray(type) ? '; leave null out: a parameter that is not given is null' : ''
  reader.addViolation([...path, 'type'], `must be one of ${parameterTypes.join(', ')}${hint}`)
  return undefined
}

function typeOfChoice(choice: unknown): ParameterType | undefined {
  if (typeof choice === 'number') return Number.isInteger(choice) ? 'integer' : Number.isFinite(choice) ? 'number' : undefined
  return typeof choice === 'string' || typeof choice === 'boolean' ? (typeof choice as 'string' | 'boolean') : undefined
}

/** Advice for common keywords that are not supported here. */
const keywordAdvice: Readonly<Record<string, string>> = {
  $ref: 'is not supported; write the schema itself here',
  allOf: 'is not supported; merge the schemas into one',
  oneOf: 'is not supported; use anyOf',
  nullable: 'is not supported; omit it, because an omitted parameter is null',
  patternProperties: 'is not supported; list the properties',
  prefixItems: 'is not supported; describe all items by one schema in items',
}

function requireSupported(raw: Readonly<Record<string, unknown>>, path: FieldPath, reader: DefinitionReader): void {
  for (const name of Object.keys(raw)) {
    const advice = Object.hasOwn(keywordAdvice, name) ? keywordAdvice[name] : undefined
    if (advice !== undefined) reader.addViolation([...path, name], advice)
  }
}

function readAnnotations(raw: Readonly<Record<string, unknown>>, path: FieldPath, reader: DefinitionReader): ParameterSchema {
  const title = reader.readText(raw['title'], [...path, 'title'], titleCharactersMax)
  const description = reader.readText(raw['description'], [...path, 'description'], descriptionCharactersMax)
  const { 'x-advanced': advanced, examples, default: defaultValue } = raw
  if (advanced !== undefined && typeof advanced !== 'boolean')
    reader.addViolation([...path, 'x-advanced'], 'must be true or false')
  if (examples !== undefined && !Array.isArray(examples)) reader.addViolation([...path, 'examples'], 'must be a list of values')
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(defaultValue !== undefined && defaultValue !== null && { default: defaultValue }),
    ...(Array.isArray(examples) && { examples: examples.slice(0, defaultItemsMax) as unknown[] }),
    ...(typeof advanced === 'boolean' && { 'x-advanced': advanced }),
  }
}

function readChoices(
  { enum: choices, const: constant }: Readonly<Record<string, unknown>>,
  type: 'string' | 'boolean' | 'integer' | 'number',
  path: FieldPath,
  reader: DefinitionReader,
): ParameterSchema {
  const schema: ParameterSchema = {}
  const isChoice = (value: unknown): value is string | number | boolean =>
    (type === 'number' ? Number.isFinite(value) : typeOfChoice(value) === type) && String(value).length <= choiceCharactersMax
  const subject = `a ${type} of at most ${choiceCharactersMax} characters`
  if (constant !== undefined) {
    if (isChoice(constant)) schema.const = constant
    else reader.addViolation([...path, 'const'], `must be ${subject}`)
  }
  if (choices === undefined) return schema
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > choicesMax) {
    reader.addViolation([...path, 'enum'], `must be a list of 1 to ${choicesMax} values`)
    return schema
  }
  const invalidIndex = choices.findIndex((choice) => !isChoice(choice))
  if (invalidIndex !== -1)
    reader.addViolation([...path, 'enum', invalidIndex], `must be ${subject}; put strings in quotation marks`)
  else if (new Set(choices).size < choices.length) reader.addViolation([...path, 'enum'], 'must contain each value only once')
  else schema.enum = choices as (string | number | boolean)[]
  return schema
}

function readTextBounds(raw: Readonly<Record<string, unknown>>, path: FieldPath, reader: DefinitionReader): ParameterSchema {
  const { pattern, format } = raw
  const schema: ParameterSchema = {
    ...readCount('minLength', raw, path, reader, textCharactersMax),
    ...readCount('maxLength', raw, path, reader, textCharactersMax),
  }
  if (raw['enum'] === undefined && raw['const'] === undefined) schema.maxLength ??= defaultTextCharactersMax
  requireOrder('minLength', 'maxLength', schema, path, reader)
  if (pattern !== undefined) {
    if (typeof pattern === 'string' && isLinearPattern(pattern)) schema.pattern = pattern
    else {
      const rule =
        'must start with ^, end with $ and consist of characters and classes such as [a-z0-9]+, without groups and alternatives, and ' +
        'no repeated part may match the start of what follows it: other patterns can take seconds'
      reader.addViolation([...path, 'pattern'], rule)
    }
  }
  if (format !== undefined) {
    if (typeof format === 'string' && allowedFormats.includes(format)) schema.format = format
    else reader.addViolation([...path, 'format'], `must be one of ${allowedFormats.join(', ')}`)
  }
  return schema
}

const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

function readNumberBounds(
  raw: Readonly<Record<string, unknown>>,
  type: 'integer' | 'number',
  path: FieldPath,
  reader: DefinitionReader,
): ParameterSchema {
  const schema: ParameterSchema = {}
  for (const keyword of numberKeywords) {
    const value = raw[keyword]
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isSafeInteger(value))) {
      reader.addViolation(
        [...path, keyword],
        `must be ${type === 'integer' ? 'a whole number that is exact in JSON' : 'a number'}`,
      )
    } else if (keyword === 'multipleOf' && value <= 0) reader.addViolation([...path, keyword], 'must be above 0')
    else schema[keyword] = value
  }
  requireOrder('minimum', 'maximum', schema, path, reader)
  return schema
}

function readListBounds(
  raw: Readonly<Record<string, unknown>>,
  path: FieldPath,
  reader: DefinitionReader,
  depth: number,
): ParameterSchema {
  const { items, uniqueItems } = raw
  const schema: ParameterSchema = {
    ...readCount('minItems', raw, path, reader, itemsMax),
    maxItems: defaultItemsMax,
    ...readCount('maxItems', raw, path, reader, itemsMax),
  }
  requireOrder('minItems', 'maxItems', schema, path, reader)
  if (items === undefined) reader.addViolation([...path, 'items'], 'is required; it is the schema of one item')
  else {
    const itemSchema = readParameterSchema(items, [...path, 'items'], reader, depth + 1)
    if (itemSchema !== undefined) schema.items = itemSchema
  }
  if (uniqueItems !== undefined && uniqueItems !== false) {
    const isScalar = isObject(items) && items['type'] !== 'object' && items['type'] !== 'array' && !('anyOf' in items)
    if (uniqueItems === true && isScalar) schema.uniqueItems = true
    else
      reader.addViolation(
        [...path, 'uniqueItems'],
        'must be true or false, and can be true only for strings, numbers and booleans',
      )
  }
  return schema
}

function readObjectBounds(
  raw: Readonly<Record<string, unknown>>,
  path: FieldPath,
  reader: DefinitionReader,
  depth: number,
): ParameterSchema {
  const { properties = {}, required = [], additionalProperties } = raw
  const schemas: Record<string, ParameterSchema> = {}
  if (!isObject(properties)) reader.addViolation([...path, 'properties'], 'must be a map from names to schemas')
  else {
    for (const [name, schema] of Object.entries(properties)) {
      const propertyPath = [...path, 'properties', name]
      if (!isPropertyName(name)) reader.addViolation(propertyPath, propertyNameRule)
      else {
        const property = readParameterSchema(schema, propertyPath, reader, depth + 1)
        if (property !== undefined) schemas[name] = property
      }
    }
  }
  const names = Object.keys(isObject(properties) ? properties : {})
  const hasNoProperties = names.length === 0
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    reader.addViolation([...path, 'additionalProperties'], 'must be true or false')
  return {
    ...(!hasNoProperties && { properties: schemas }),
    ...readRequired(required, names, [...path, 'required'], reader),
    additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : hasNoProperties,
    maxProperties: parametersMax,
  }
}

/** Reads a list of required parameters or properties. Reports every name that is not in `names`. */
export function readRequired(
  raw: unknown,
  names: readonly string[],
  path: FieldPath,
  reader: DefinitionReader,
): { required?: string[] } {
  if (raw === undefined || raw === null) return {}
  if (!Array.isArray(raw)) {
    reader.addViolation(path, 'must be a list of names')
    return {}
  }
  for (const [index, name] of raw.entries()) {
    if (!names.includes(name as string))
      reader.addViolation([...path, index], `must be one of ${names.join(', ') || 'its properties, but it has none'}`)
    else if (raw.indexOf(name) !== index) reader.addViolation([...path, index], `repeats ${String(name)}`)
  }
  return raw.length === 0 ? {} : { required: raw as string[] }
}

function readAlternatives(raw: unknown, path: FieldPath, reader: DefinitionReader, depth: number): ParameterSchema[] {
  const unionPath = [...path, 'anyOf']
  if (!Array.isArray(raw) || raw.length < 2 || raw.length > alternativesMax) {
    reader.addViolation(unionPath, `must be a list of 2 to ${alternativesMax} schemas`)
    return []
  }
  return raw.flatMap((alternative, index) => {
    if (isObject(alternative) && alternative['type'] === 'null') {
      reader.addViolation([...unionPath, index], 'must be omitted, because an omitted parameter is null')
      return []
    }
    return readParameterSchema(alternative, [...unionPath, index], reader, depth + 1) ?? []
  })
}

type CountKeyword = 'minLength' | 'maxLength' | 'minItems' | 'maxItems'

function readCount(
  keyword: CountKeyword,
  raw: Readonly<Record<string, unknown>>,
  path: FieldPath,
  reader: DefinitionReader,
  max: number,
): ParameterSchema {
  const value = raw[keyword]
  if (value === undefined) return {}
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max) return { [keyword]: value as number }
  reader.addViolation([...path, keyword], `must be a whole number from 0 to ${max}`)
  return {}
}

function requireOrder(
  low: CountKeyword | 'minimum',
  high: CountKeyword | 'maximum',
  schema: ParameterSchema,
  path: FieldPath,
  reader: DefinitionReader,
): void {
  const { [low]: min = -Infinity, [high]: max = Infinity } = schema
  if (min > max) reader.addViolation([...path, low], `must be at most ${high}, ${max}`)
}

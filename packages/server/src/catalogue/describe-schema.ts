import { countCharacters } from '../lib/create-ajv.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { ParameterSchema } from './model.ts'
import { audioNames, videoNames } from '../lib/media-type.ts'
import {
  audioPattern,
  imageNames,
  imageOrDataUriPattern,
  publicImagePattern,
  urlCharactersMax,
  videoPattern,
} from './shared-parameters.ts'
import { truncate } from '../lib/truncate.ts'

/**
 * The allowed values of a parameter, as the end of a sentence: "4, 8 or 12", "a whole number from 6
 * to 30".
 */
export function describeAllowed(schema: ParameterSchema): string {
  if (schema.const !== undefined) return `${schema.const}, the only value for this model`
  if (schema.enum) return describeChoices(schema.enum)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return describeNumber(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list of ${schema.minItems ?? 0} to ${schema.maxItems ?? '∞'} ${itemsNoun(schema.items)}`
    case 'string':
      return describeText(schema)
    case 'object':
      return describeObject(schema)
    case undefined:
      return listOf(schema.anyOf?.map(describeAllowed) ?? [])
    default:
      return unreachable(schema.type)
  }
}

/**
 * Describes the value that a client sent, for a message. If the schema expects a list, an object or
 * a text with a maximum length, such a value is described by its size.
 */
export function describeActual(value: unknown, schema: ParameterSchema): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return schema.type === 'array' ? `a list of ${value.length}` : 'a list'
  if (typeof value !== 'string') return schema.type === 'object' ? `an object of ${Object.keys(value).length}` : 'an object'
  if (schema.maxLength !== undefined && value !== '') return describeLength(value)
  return quote(value)
}

const quotedCharactersMax = 60

/** Quotes a client's text in a message: shortened, on one line, with control characters escaped. */
export function quote(text: string): string {
  const shortened = text.length > quotedCharactersMax ? `${truncate(text, quotedCharactersMax)}…` : text
  return JSON.stringify(shortened)
}

export function listOf(values: readonly (string | number | boolean)[], conjunction: 'or' | 'and' = 'or'): string {
  const [last = '', ...others] = values.toReversed()
  return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} ${conjunction} ${last}`
}

/** Formats a number with thousands separators, such as 5,000. */
export function readableNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** Maximum number of choices in a message. An operator's model may have a thousand. */
const choicesShownMax = 60

function describeChoices(choices: readonly (string | number | boolean)[]): string {
  if (choices.length <= choicesShownMax) return listOf(choices)
  return `one of ${choices.length} values, such as ${listOf(choices.slice(0, choicesShownMax))}`
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: ParameterSchema): string {
  const hasNoLimit = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].every((limit) => limit === undefined)
  const lowerBound = exclusiveMinimum === undefined ? `from ${minimum ?? '-∞'}` : `above ${exclusiveMinimum}`
  const upperBound = exclusiveMaximum === undefined ? `to ${maximum ?? '∞'}` : `below ${exclusiveMaximum}`
  const steps = multipleOf === undefined ? '' : `, a multiple of ${multipleOf}`
  return `a ${type === 'integer' ? 'whole ' : ''}number${hasNoLimit ? '' : ` ${lowerBound} ${upperBound}`}${steps}`
}

const typeNouns = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'values',
  array: 'lists',
  object: 'objects',
}

function itemsNoun(items: ParameterSchema | undefined): string {
  const file = fileDescriptionOf(items)
  if (file !== undefined) return `${file.noun} references`
  return items?.type === undefined ? 'items' : typeNouns[items.type]
}

function describeObject({ properties, required = [], maxProperties }: ParameterSchema): string {
  if (properties === undefined)
    return maxProperties === undefined ? 'an object' : `an object of at most ${maxProperties} properties`
  const requirement = required.length === 0 ? '' : `; ${listOf(required, 'and')} ${required.length === 1 ? 'is' : 'are'} required`
  return `an object with ${listOf(Object.keys(properties), 'and')}${requirement}`
}

const imageDescription = { noun: 'image', data: `a ${imageNames} image` }
const fileDescriptions: Readonly<Record<string, { noun: string; data: string }>> = {
  [publicImagePattern]: imageDescription,
  [imageOrDataUriPattern]: imageDescription,
  [videoPattern]: { noun: 'video', data: `a ${videoNames} video` },
  [audioPattern]: { noun: 'audio', data: `an ${audioNames} file` },
}

/** Returns the words for a parameter that names a file, or undefined for any other parameter. */
function fileDescriptionOf(schema: ParameterSchema | undefined): { noun: string; data: string } | undefined {
  return schema?.pattern === undefined ? undefined : fileDescriptions[schema.pattern]
}

function describeText(schema: ParameterSchema): string {
  const file = fileDescriptionOf(schema)
  if (schema.pattern !== undefined && file === undefined) {
    return `a text of the form ${schema.pattern}, at most ${readableNumber(schema.maxLength ?? Infinity)} characters`
  }
  if (file !== undefined) {
    const url = `an http or https URL of at most ${readableNumber(urlCharactersMax)} characters`
    if (schema.pattern === publicImagePattern) return `${url}, or asset: followed by the id of an asset`
    return `${url}, asset: followed by the id of an asset, or a base64 data URI of ${file.data}`
  }
  return `a text of ${schema.minLength ?? 0} to ${readableNumber(schema.maxLength ?? Infinity)} characters`
}

/** The characters of a text with more UTF-16 units than this are not counted, to save time. */
const countedUnitsMax = 100_000

function describeLength(text: string): string {
  if (text.length > countedUnitsMax) return `more than ${readableNumber(countedUnitsMax / 2)} characters`
  return `${readableNumber(countCharacters(text))} characters`
}

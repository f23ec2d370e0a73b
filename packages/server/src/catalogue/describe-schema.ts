import { countCharacters } from '../lib/create-ajv.ts'
import { unreachable } from '../lib/unreachable.ts'
import type { ParameterSchema } from './model.ts'
import { imageNames, publicImagePattern, urlCharactersMax } from './shared-parameters.ts'

/**
 * The allowed values of a parameter, as the end of a sentence: "4, 8 or 12", "a whole number from 6
 * to 30".
 */
export function describeAllowed(schema: ParameterSchema): string {
  if (schema.const !== undefined) return `${schema.const}, the only value for this model`
  if (schema.enum) return listOf(schema.enum)
  switch (schema.type) {
    case 'integer':
      return `a whole number from ${schema.minimum ?? '-∞'} to ${schema.maximum ?? '∞'}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list of ${schema.minItems ?? 0} to ${schema.maxItems ?? '∞'} image references`
    case 'string':
      return describeText(schema)
    default:
      return unreachable(schema.type)
  }
}

/** The given value, short enough for a message. Shows the length when the length is wrong. */
export function describeGiven(value: unknown, schema: ParameterSchema): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return schema.type === 'array' ? `a list of ${value.length}` : 'a list'
  if (typeof value !== 'string') return 'an object'
  if (schema.maxLength !== undefined && value !== '') return describeLength(value)
  return quote(value)
}

const quotedCharactersMax = 60

/** Quotes a client's text in a message: shortened, on one line, with control characters escaped. */
export function quote(text: string): string {
  const short = text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text
  return JSON.stringify(short)
}

export function listOf(values: readonly (string | number)[], word: 'or' | 'and' = 'or'): string {
  const [last = '', ...others] = values.toReversed()
  return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} ${word} ${last}`
}

/** 5000 becomes 5,000. */
export function readableNumber(value: number): string {
  return value.toLocaleString('en-US')
}

function describeText(schema: ParameterSchema): string {
  if (schema.pattern !== undefined) {
    const url = `an http or https URL of at most ${readableNumber(urlCharactersMax)} characters`
    if (schema.pattern === publicImagePattern) return `${url}, or asset: followed by the id of an asset`
    return `${url}, asset: followed by the id of an asset, or a base64 data URI of a ${imageNames} image`
  }
  return `a text of ${schema.minLength ?? 0} to ${readableNumber(schema.maxLength ?? Infinity)} characters`
}

/** Beyond this length the exact number of characters is not worth counting. */
const countedMax = 100_000

function describeLength(text: string): string {
  if (text.length > countedMax) return `more than ${readableNumber(countedMax / 2)} characters`
  return `${readableNumber(countCharacters(text))} characters`
}

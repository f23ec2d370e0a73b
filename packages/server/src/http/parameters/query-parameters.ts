import type { WireParameter } from '@framegate/contract'
import { AppError } from '../../lib/app-error.ts'
import { brokenTextWords, isBrokenText } from '../bodies/broken-text.ts'
import { nearestName } from '../../lib/nearest-name.ts'

type WireParameters = Readonly<Record<string, WireParameter>>

/** Type of the values that a parameter's schema admits. */
type Read<Schema extends WireParameter> =
  | (Schema extends { type: 'integer' } ? number : Schema extends { enum: readonly (infer Choice)[] } ? Choice : string)
  | (Schema extends { default: number } ? never : undefined)

export type QueryOf<Schemas extends WireParameters> = { [Name in keyof Schemas]: Read<Schemas[Name]> }

const editsMax = 3

/**
 * Reads the query of a list. Refuses a repeated or unknown parameter, because a request with a
 * misspelled filter would return everything.
 */
export function readQueryParameters<Schemas extends WireParameters>(query: unknown, schemas: Schemas): QueryOf<Schemas> {
  const given = query as Readonly<Record<string, unknown>>
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(schemas, name)) throw unknownParameter(name, Object.keys(schemas))
  }
  const entries = Object.entries(schemas).map(([name, schema]) => [name, readParameter(name, given[name], schema)])
  return Object.fromEntries(entries) as QueryOf<Schemas>
}

/** Reads one query parameter by its schema, and applies the default. */
export function readParameter<Schema extends WireParameter>(name: string, given: unknown, schema: Schema): Read<Schema> {
  return readValue(name, given, schema) as Read<Schema>
}

export function invalidParameter(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, { param })
}

function readValue(name: string, given: unknown, schema: WireParameter): string | number | undefined {
  if (given === undefined) return 'default' in schema ? schema.default : undefined
  if (typeof given !== 'string') throw invalidParameter(name, `${name} may be given only once.`)
  if (isBrokenText(given)) throw invalidParameter(name, `${name} ${brokenTextWords}`)
  if (schema.type === 'integer') {
    const value = Number(given)
    if (/^\d{1,15}$/.test(given) && value >= schema.minimum && value <= schema.maximum) return value
    throw invalidParameter(name, `${name} must be a whole number from ${schema.minimum} to ${schema.maximum}.`)
  }
  if ('enum' in schema) {
    if (schema.enum.includes(given)) return given
    throw invalidParameter(name, `${name} must be one of ${schema.enum.join(', ')}.`)
  }
  if ('pattern' in schema) {
    if (new RegExp(schema.pattern).test(given)) return given
    throw invalidParameter(name, `${name} must be ${schema.means}.`)
  }
  if (given.length >= schema.minLength) return given
  throw invalidParameter(name, `${name} must not be empty.`)
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const meant = nearestName(name, known, editsMax)
  const hint = meant === undefined ? `the parameters are ${known.join(', ')}` : `did you mean '${meant}'?`
  return new AppError('unknown_parameter', `There is no query parameter '${name.slice(0, 64)}'; ${hint}`, { param: name })
}

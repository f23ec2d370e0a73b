import type { WireParameter } from '@framegate/contract'
import { AppError } from '../../lib/app-error.ts'
import { brokenTextMessage, isBrokenText } from '../bodies/broken-text.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { truncate } from '../../lib/truncate.ts'

type WireParameters = Readonly<Record<string, WireParameter>>

/** Type of the value that `readParameter` returns for a schema. */
type ParameterValue<Schema extends WireParameter> =
  | (Schema extends { type: 'integer' } ? number : Schema extends { enum: readonly (infer Choice)[] } ? Choice : string)
  | (Schema extends { default: number } ? never : undefined)

export type QueryOf<Schemas extends WireParameters> = { [Name in keyof Schemas]: ParameterValue<Schemas[Name]> }

/** Maximum edit distance of a name that an error message suggests. */
const suggestionEditsMax = 3

/**
 * Reads the query parameters of a request. Rejects repeated parameters. Also rejects unknown ones,
 * because a list with a misspelled filter would return everything.
 */
export function readQueryParameters<Schemas extends WireParameters>(query: unknown, schemas: Schemas): QueryOf<Schemas> {
  const rawQuery = query as Readonly<Record<string, unknown>>
  for (const name of Object.keys(rawQuery)) {
    if (!Object.hasOwn(schemas, name)) throw unknownParameter(name, Object.keys(schemas))
  }
  const entries = Object.entries(schemas).map(([name, schema]) => [name, readParameter(name, rawQuery[name], schema)])
  return Object.fromEntries(entries) as QueryOf<Schemas>
}

/** Reads the value of one query parameter. Returns the default if there is no value. */
export function readParameter<Schema extends WireParameter>(
  name: string,
  value: unknown,
  schema: Schema,
): ParameterValue<Schema> {
  return readValue(name, value, schema) as ParameterValue<Schema>
}

export function invalidParameter(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, { param })
}

function readValue(name: string, raw: unknown, schema: WireParameter): string | number | undefined {
  if (raw === undefined) return 'default' in schema ? schema.default : undefined
  if (typeof raw !== 'string') throw invalidParameter(name, `${name} may be given only once.`)
  if (isBrokenText(raw)) throw invalidParameter(name, `${name} ${brokenTextMessage}`)
  if (schema.type === 'integer') {
    const value = Number(raw)
    if (/^\d{1,15}$/.test(raw) && value >= schema.minimum && value <= schema.maximum) return value
    const means = schema.means ?? `a whole number from ${schema.minimum} to ${schema.maximum}`
    throw invalidParameter(name, `${name} must be ${means}.`)
  }
  if ('enum' in schema) {
    if (schema.enum.includes(raw)) return raw
    throw invalidParameter(name, `${name} must be one of ${schema.enum.join(', ')}.`)
  }
  if ('pattern' in schema) {
    if (new RegExp(schema.pattern).test(raw)) return raw
    throw invalidParameter(name, `${name} must be ${schema.means}.`)
  }
  if (raw.length < schema.minLength) throw invalidParameter(name, `${name} must not be empty.`)
  const { maxLength = Infinity } = schema
  if (raw.length <= maxLength) return raw
  throw invalidParameter(name, `${name} must have at most ${maxLength} characters.`)
}

function unknownParameter(name: string, validNames: readonly string[]): AppError {
  const suggestion = nearestName(name, validNames, suggestionEditsMax)
  const hint = suggestion === undefined ? `the parameters are ${validNames.join(', ')}` : `did you mean '${suggestion}'?`
  return new AppError('unknown_parameter', `There is no query parameter '${truncate(name, 64)}'; ${hint}`, { param: name })
}

import { AppError } from '../lib/app-error.ts'
import { nearestName } from '../lib/nearest-name.ts'

export type QueryParameters = Readonly<Record<string, string | undefined>>

const editsMax = 3

/** The query of a list: each parameter once, none unknown. A misspelt filter must not be answered with everything. */
export function readQueryParameters(query: unknown, known: readonly string[]): QueryParameters {
  const parameters: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
    if (!known.includes(name)) throw unknownParameter(name, known)
    if (typeof value !== 'string') throw invalidParameter(name, `${name} may be given once.`)
    parameters[name] = value
  }
  return parameters
}

export function invalidParameter(param: string, message: string): AppError {
  return new AppError('invalid_parameter', message, { param })
}

export function readInteger(parameters: QueryParameters, name: string, min: number, max: number): number | undefined {
  const text = parameters[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
  throw invalidParameter(name, `${name} must be a whole number from ${min} to ${max}.`)
}

export function readOneOf<const T extends string>(
  parameters: QueryParameters,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = parameters[name]
  if (text === undefined) return undefined
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw invalidParameter(name, `${name} must be one of ${choices.join(', ')}.`)
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const meant = nearestName(name, known, editsMax)
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean '${meant}'?`
  return new AppError('unknown_parameter', `There is no query parameter '${name.slice(0, 64)}'; ${hint}`, { param: name })
}

import type { GenerationParameters } from '../driver.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

export type ParameterName = keyof GenerationParameters

/** What the client wants to be different from leaving it out: `false`, an empty text or list asks for nothing. */
export function askedParameters(parameters: GenerationParameters): ParameterName[] {
  return (Object.keys(parameters) as ParameterName[]).filter((name) => {
    const value = parameters[name]
    return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/** The first parameter that is asked for and not among those that the upstream can be told. */
export function refuseOthers(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  supported: readonly string[],
): ParameterRefusal | null {
  const parameter = askedParameters(parameters).find((name) => !supported.includes(name))
  return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used with this model here; leave it out` }
}

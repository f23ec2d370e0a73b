import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

export type ParameterName = keyof GenerationParameters

/**
 * The parameters that the client has actually set: `false`, an empty text or an empty list is the
 * same as leaving the parameter out.
 */
export function requestedParameters(parameters: GenerationParameters): ParameterName[] {
  return (Object.keys(parameters) as ParameterName[]).filter((name) => {
    const value = parameters[name]
    return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/** Refuses the first requested parameter that the upstream does not take. */
export function refuseOthers(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  supported: readonly string[],
): ParameterRefusal | null {
  const parameter = requestedParameters(parameters).find((name) => !supported.includes(name))
  return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used with this model here; leave it out` }
}

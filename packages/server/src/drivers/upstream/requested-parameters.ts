import { isSharedName, type GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

export type { ParameterName } from '../../catalogue/generation-parameters.ts'

/**
 * Returns the parameters that the client has actually set. `false`, an empty text, an empty list
 * and a number of one result have the same meaning as a missing parameter, so they do not count.
 */
export function requestedParameters(parameters: GenerationParameters): string[] {
  return Object.keys(parameters).filter((name) => {
    const value = parameters[name]
    if (name === 'n' && value === 1) return false
    return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/**
 * Refuses the first requested parameter of the shared vocabulary that the upstream does not accept.
 * The model's own parameters are defined by the upstream, so they are passed on.
 */
export function refuseUnsupported(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  supported: readonly string[],
): ParameterRefusal | null {
  const parameter = requestedParameters(parameters).find((name) => isSharedName(name) && !supported.includes(name))
  return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used with this model here; leave it out` }
}

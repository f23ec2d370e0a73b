import { isSharedName, type GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

export type { ParameterName } from '../../catalogue/generation-parameters.ts'

/**
 * The parameters that the client has actually set. The values `false`, an empty text, an empty list
 * and one result mean the same as leaving the parameter out, so they do not count.
 */
export function requestedParameters(parameters: GenerationParameters): string[] {
  return Object.keys(parameters).filter((name) => {
    const value = parameters[name]
    if (name === 'n' && value === 1) return false
    return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/**
 * Refuses the first requested parameter of the shared vocabulary that the upstream does not take.
 * Parameters of the model alone are accepted: they come from the upstream and are passed on.
 */
export function refuseOthers(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  supported: readonly string[],
): ParameterRefusal | null {
  const parameter = requestedParameters(parameters).find((name) => isSharedName(name) && !supported.includes(name))
  return parameter === undefined ? null : { parameter, message: `${parameter} cannot be used with this model here; leave it out` }
}

import { isSharedName, type GenerationParameters } from '../../catalogue/generation-parameters.ts'
import type { ParameterRefusal, UpstreamRequest } from './upstream-driver.ts'

export type { ParameterName } from '../../catalogue/generation-parameters.ts'

/**
 * Returns the names of the parameters that the client has effectively set. A parameter is omitted
 * if it is `false`, an empty string, an empty list, or `n` with the value 1, because these mean the
 * same as a missing parameter.
 */
export function requestedParameters(parameters: GenerationParameters): string[] {
  return Object.keys(parameters).filter((name) => {
    const value = parameters[name]
    if (name === 'n' && value === 1) return false
    return value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/**
 * Returns a refusal for the first requested parameter that the upstream does not accept. Parameters
 * that only this model has are not refused here, because the upstream checks them.
 */
export function refuseUnsupported(
  { parameters }: Pick<UpstreamRequest, 'parameters'>,
  supported: readonly string[],
): ParameterRefusal | null {
  const parameter = requestedParameters(parameters).find((name) => isSharedName(name) && !supported.includes(name))
  return parameter === undefined ? null : { parameter, message: `${parameter} is not supported for this model; leave it out` }
}

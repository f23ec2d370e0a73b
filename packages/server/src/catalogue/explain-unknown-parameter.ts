import { listOf, quote } from './describe-schema.ts'
import { isSharedName } from './generation-parameters.ts'
import type { Model } from './model.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { isResultCount, parametersOfForeignName } from './foreign-names.ts'

const editsMax = 3
/** Names of shared parameters that other services use with a different meaning. */
const otherMeanings: ReadonlySet<string> = new Set(['n', 'image'])
const foreignEditsMax = 2

/**
 * Explains why a field is refused: the field belongs to other models, another service uses its
 * name, its name resembles a parameter of this model, or its name is unknown.
 */
export function explainUnknownParameter(name: string, model: Model): string {
  const acceptedNames = Object.keys(model.parameters.properties).filter((property) => property !== 'model')
  if (name === 'resolution' && model.fixedResolution !== null) {
    return `resolution cannot be specified for ${model.id}: its resolution is always ${model.fixedResolution}`
  }
  const acceptsCount = acceptedNames.includes('n')
  if (isSharedName(name) && !otherMeanings.has(name)) {
    return `${name} cannot be specified for ${model.id}; it takes ${listOf(acceptedNames, 'and')}`
  }
  const unknownText = `unknown parameter ${quoteName(name)}`
  if (isResultCount(name) && acceptsCount) return `${unknownText}; did you mean 'n'?`
  if (isResultCount(name)) return `${unknownText}; a task produces one ${model.object}, so submit one task per ${model.object}`
  const intendedNames = intendedParameters(name, acceptedNames)
  return intendedNames.length === 0
    ? `${unknownText}; ${model.id} takes ${listOf(acceptedNames, 'and')}`
    : `${unknownText}; did you mean ${listOf(intendedNames.map((parameter) => `'${parameter}'`))}?`
}

/** A misspelled name of Framegate takes precedence over a misspelled name of another service. */
function intendedParameters(name: string, accepted: readonly string[]): readonly string[] {
  const exact = parametersOfForeignName(name, accepted, 0)
  if (exact.length > 0) return exact
  const nearest = nearestName(name, accepted, editsMax)
  return nearest === undefined ? parametersOfForeignName(name, accepted, foreignEditsMax) : [nearest]
}

function quoteName(name: string): string {
  return `'${quote(name).slice(1, -1)}'`
}

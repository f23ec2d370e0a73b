import { listOf, quote } from './describe-schema.ts'
import { isSharedName } from './generation-parameters.ts'
import type { Model } from './model.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { isResultCount, parametersOfForeignName } from './foreign-names.ts'

/** Maximum number of edits between a misspelled name and the parameter that is suggested. */
const editsMax = 3
/** Maximum number of edits between a misspelled name and a name of another service. */
const foreignEditsMax = 2
/** Names of shared parameters that other services use with a different meaning. */
const ambiguousNames: ReadonlySet<string> = new Set(['n', 'image'])

/**
 * Explains why a field is refused: the model has a fixed resolution, the field belongs to other
 * models, another service uses its name, its name resembles a parameter of this model, or its name
 * is unknown.
 */
export function explainUnknownParameter(name: string, model: Model): string {
  const acceptedNames = Object.keys(model.parameters.properties).filter((property) => property !== 'model')
  if (name === 'resolution' && model.fixedResolution !== null) {
    return `resolution cannot be specified for ${model.id}: its resolution is always ${model.fixedResolution}`
  }
  const acceptsCount = acceptedNames.includes('n')
  if (isSharedName(name) && !ambiguousNames.has(name)) {
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

/**
 * Returns the parameters that `name` may stand for. In order of precedence, it is another service's
 * name, a misspelled parameter of the model, or a misspelled name of another service.
 */
function intendedParameters(name: string, accepted: readonly string[]): readonly string[] {
  const exact = parametersOfForeignName(name, accepted, 0)
  if (exact.length > 0) return exact
  const nearest = nearestName(name, accepted, editsMax)
  return nearest === undefined ? parametersOfForeignName(name, accepted, foreignEditsMax) : [nearest]
}

function quoteName(name: string): string {
  return `'${quote(name).slice(1, -1)}'`
}

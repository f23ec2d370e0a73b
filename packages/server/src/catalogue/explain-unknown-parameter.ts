import { listOf, quote } from './describe-schema.ts'
import { isSharedName } from './generation-parameters.ts'
import type { Model } from './model.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { isResultCount, meantByNameElsewhere } from './names-elsewhere.ts'

const editsMax = 3
/** Shared names that other services use with another meaning. */
const otherMeanings: ReadonlySet<string> = new Set(['n', 'image'])
const elsewhereEditsMax = 2

/**
 * The reason why a field is refused: the field belongs to other models, another service uses its
 * name, its name resembles a parameter of this model, or its name is unknown.
 */
export function explainUnknownParameter(name: string, model: Model): string {
  const taken = Object.keys(model.parameters.properties).filter((property) => property !== 'model')
  if (name === 'resolution' && model.fixedResolution !== null) {
    return `resolution cannot be specified for ${model.id}: its resolution is always ${model.fixedResolution}`
  }
  const takesCount = taken.includes('n')
  if (isSharedName(name) && !otherMeanings.has(name)) {
    return `${name} cannot be specified for ${model.id}; it takes ${listOf(taken, 'and')}`
  }
  const unknown = `unknown parameter ${quoteName(name)}`
  if (isResultCount(name) && takesCount) return `${unknown}; did you mean 'n'?`
  if (isResultCount(name)) return `${unknown}; a task produces one ${model.object}, so submit one task for each`
  const meant = meantParameters(name, taken)
  return meant.length === 0
    ? `${unknown}; ${model.id} takes ${listOf(taken, 'and')}`
    : `${unknown}; did you mean ${listOf(meant.map((parameter) => `'${parameter}'`))}?`
}

/** A misspelled name of Framegate takes precedence over a misspelled name of another service. */
function meantParameters(name: string, taken: readonly string[]): readonly string[] {
  const exact = meantByNameElsewhere(name, taken, 0)
  if (exact.length > 0) return exact
  const nearest = nearestName(name, taken, editsMax)
  return nearest === undefined ? meantByNameElsewhere(name, taken, elsewhereEditsMax) : [nearest]
}

function quoteName(name: string): string {
  return `'${quote(name).slice(1, -1)}'`
}

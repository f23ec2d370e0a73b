import { listOf, quote } from './describe-schema.ts'
import type { Model } from './model.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { parameterNames } from './shared-parameters.ts'

const editsMax = 3

/** Why a field is refused: it belongs to other models, it is nearly one of this model's, or it is nothing we know. */
export function explainUnknownParameter(name: string, model: Model): string {
  const taken = Object.keys(model.parameters.properties).filter((property) => property !== 'model')
  if (name === 'resolution' && model.fixedResolution !== null) {
    return `resolution cannot be specified for ${model.id}: it always makes ${model.fixedResolution}`
  }
  if ((parameterNames as readonly string[]).includes(name)) {
    return `${name} cannot be specified for ${model.id}; it takes ${listOf(taken, 'and')}`
  }
  const meant = nearestName(name, taken, editsMax)
  return meant === undefined
    ? `unknown parameter ${quoteName(name)}; ${model.id} takes ${listOf(taken, 'and')}`
    : `unknown parameter ${quoteName(name)}; did you mean '${meant}'?`
}

function quoteName(name: string): string {
  return `'${quote(name).slice(1, -1)}'`
}

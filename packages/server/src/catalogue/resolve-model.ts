import { AppError } from '../lib/app-error.ts'
import type { Catalogue } from './catalogue.ts'
import { quote } from './describe-schema.ts'
import type { Model, V1Family } from './model.ts'
import { nearestName } from '../lib/nearest-name.ts'

/** Maximum number of edits between a misspelled ID and the ID that is suggested. */
const editsMax = 3
/**
 * Maximum number of IDs to compare with a misspelled one. A comparison with thousands of IDs would
 * take milliseconds.
 */
const comparedIdsMax = 1_000

/**
 * Returns the model with exactly this ID. For any other value, throws an AppError, with a
 * suggestion for a display name or a misspelled ID, or else with the path of the list of models.
 */
export function resolveModel(catalogue: Catalogue, requested: unknown, listPath = '/v2/model-center/models'): Model {
  const listHint = `GET ${listPath} lists every Model ID`
  if (typeof requested !== 'string' || requested === '') {
    const problem = requested === undefined ? 'it is missing' : requested === '' ? 'it is empty' : 'it is not a string'
    throw new AppError('invalid_parameter', `model must be a Model ID, but ${problem}; ${listHint}`, {
      param: 'model',
      errors: [{ pointer: '/model', code: 'invalid_parameter', message: `model must be a Model ID, but ${problem}` }],
    })
  }
  const model = catalogue.find(requested)
  if (model) return model

  const match = catalogue.findByName(requested)
  if (match) throw modelNotFound(`${quote(requested)} is a display name; the Model ID is ${quote(match.id)}`)

  const suggestion = nearestName(
    requested,
    catalogue.models.slice(0, comparedIdsMax).map(({ id }) => id),
    editsMax,
  )
  throw modelNotFound(
    suggestion === undefined
      ? `there is no model ${quote(requested)}; ${listHint}`
      : `there is no model ${quote(requested)}; did you mean ${quote(suggestion)}? Model IDs must match exactly, including spaces`,
  )
}

/**
 * Throws if the model is not of this family. A v1 collection serves only the models of its own
 * family.
 */
export function requireInFamily(model: Model, v1Family: V1Family): void {
  if (model.v1Family === v1Family) return
  const correctPath =
    model.v1Family === null ? '/v2/model-center/tasks' : `/v1/${model.v1Family}/videos or /v2/model-center/tasks`
  const message = `model ${quote(model.id)} is not in the family ${v1Family}; send the request to ${correctPath}`
  throw new AppError('model_not_in_family', message, {
    param: 'model',
    errors: [{ pointer: '/model', code: 'model_not_in_family', message }],
  })
}

function modelNotFound(message: string): AppError {
  return new AppError('model_not_found', message, { param: 'model' })
}

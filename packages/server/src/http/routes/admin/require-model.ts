import type { Catalogue } from '../../../catalogue/catalogue.ts'
import type { Model } from '../../../catalogue/model.ts'
import { resolveModel } from '../../../catalogue/resolve-model.ts'
import { AppError } from '../../../lib/app-error.ts'

/**
 * Finds the model that an operator's request names in the field `param`. If there is none, the
 * error suggests a similar Model ID.
 */
export function requireModel(catalogue: Catalogue, id: string, param = 'model'): Model {
  try {
    return resolveModel(catalogue, id)
  } catch (error) {
    if (error instanceof AppError) throw new AppError('invalid_parameter', error.message, { param })
    throw error
  }
}

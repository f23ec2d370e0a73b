import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Model } from '../../catalogue/model.ts'
import { resolveModel } from '../../catalogue/resolve-model.ts'
import { AppError } from '../../lib/app-error.ts'

/** The model that an operator's request names; a wrong name is the request's fault, and the refusal says what was meant. */
export function requireModel(catalogue: Catalogue, id: string): Model {
  try {
    return resolveModel(catalogue, id)
  } catch (error) {
    if (error instanceof AppError) throw new AppError('invalid_parameter', error.message, { param: 'model' })
    throw error
  }
}

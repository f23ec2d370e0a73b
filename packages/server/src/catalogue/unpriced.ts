import { AppError } from '../lib/app-error.ts'

/** Creates the error for a request for an operator's model that has no price yet. */
export function unpricedModel(
  modelId: string,
  code: 'brand_model_missing' | 'model_not_found' = 'brand_model_missing',
): AppError {
  const message = `The model '${modelId}' is not available because it has no price; ask the operator to set one.`
  return new AppError(code, message, { param: 'model' })
}

export function uncoveredRequest(modelId: string): AppError {
  const message = `The price of the model '${modelId}' does not cover this request; ask the operator to update the price.`
  return new AppError('brand_model_missing', message, { param: 'model' })
}

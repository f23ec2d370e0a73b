import type { Principal } from '../auth/principal.ts'
import { availabilityFor } from '../catalogue/availability-for.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Model } from '../catalogue/model.ts'
import type { PriceBook } from '../catalogue/price-book.ts'
import { quotePrice } from '../catalogue/price.ts'
import { validationError } from '../catalogue/validation-error.ts'
import { unpricedModel } from '../catalogue/unpriced.ts'
import type { AppError } from '../lib/app-error.ts'

/**
 * Model ID of the model that improves prompts. An improvement costs as much as a task of this
 * model.
 */
export const improvingModel = 'text-prompt-enhance'

const parameterName = 'improve_prompt'

export interface ImprovementRules {
  prices: Pick<PriceBook, 'priceOf'>
  nowMs: number
}

/** Reads the field `improve_prompt` of a request. Throws an `AppError` if it is not a boolean. */
export function readImprovePrompt(value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw invalidImprovement('must be true or false')
  return value === true
}

/**
 * Returns the price for improving the prompt of a request, in micro-credits. Returns null if
 * `improve_prompt` is absent or false. Throws an `AppError` if the value is invalid or the prompt
 * cannot be improved.
 */
export function improvementPrice(
  { prices, nowMs }: ImprovementRules,
  model: Model,
  { body, catalogue, principal }: ImprovementRequest,
): number | null {
  if (!readImprovePrompt(body[parameterName])) return null
  const { prompt } = model.parameters.properties
  if (prompt === undefined || typeof body['prompt'] !== 'string' || body['prompt'].trim() === '')
    throw invalidImprovement('needs a prompt')
  const textModel = catalogue.find(improvingModel)
  const { reason } = textModel === undefined ? { reason: 'brand_model_missing' } : availabilityFor(textModel, principal.models)
  if (textModel === undefined || reason === 'brand_model_missing' || reason === 'key_scope_missing')
    throw invalidImprovement(`needs the model ${improvingModel}, which is not available to this account or key`)
  const price = prices.priceOf(textModel, principal, nowMs)
  if (price === null) throw unpricedModel(textModel.id)
  return quotePrice(textModel, {}, price.rule)
}

export interface ImprovementRequest {
  body: Readonly<Record<string, unknown>>
  catalogue: Catalogue
  principal: Pick<Principal, 'accountNo' | 'brandNo' | 'models'>
}

function invalidImprovement(reason: string): AppError {
  return validationError([{ pointer: `/${parameterName}`, code: 'invalid_parameter', message: `${parameterName} ${reason}` }])
}

import type { Model } from './model.ts'
import type { PriceBook, Payer } from './price-book.ts'
import { unpricedModel } from './unpriced.ts'

/** Whether a payer may see a model: the price book must have a price for it. */
export function isOffered(prices: Pick<PriceBook, 'priceOf'>, model: Model, payer: Payer, nowMs: number): boolean {
  return prices.priceOf(model, payer, nowMs) !== null
}

export function requireOffered(prices: Pick<PriceBook, 'priceOf'>, model: Model, payer: Payer, nowMs: number): void {
  if (!isOffered(prices, model, payer, nowMs)) throw unpricedModel(model.id, 'model_not_found')
}

import type { ModelPrice } from '../api/types.ts'
import { credits } from '../language/language.ts'
import type { Texts } from '../language/en.ts'

/** Describes the price of a model, such as "from 0.06 credits per second" if it has several. */
export function priceSummary(price: ModelPrice | null, { models: t }: Texts): string {
  if (price === null) return t.noPrice
  const amounts = Object.values(price.credits)
  const lowest = Math.min(...amounts)
  const unit = t.units[price.unit]
  return amounts.some((amount) => amount !== lowest) ? t.priceFrom(credits(lowest), unit) : t.price(credits(lowest), unit)
}

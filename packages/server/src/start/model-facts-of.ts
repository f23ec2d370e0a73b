import type { Catalogue } from '../catalogue/catalogue.ts'
import { outputSize } from '../catalogue/output-size.ts'
import { settlePrice } from '../catalogue/price.ts'
import type { Prices } from '../credits/prices.ts'
import type { ModelFacts } from '../dispatch/model-facts.ts'

/**
 * Facts of a model from the catalogue and the prices; undefined when the model no longer exists.
 */
export function modelFactsOf(catalogue: Catalogue, prices: Prices, modelId: string): ModelFacts | undefined {
  const model = catalogue.find(modelId)
  if (model === undefined) return undefined
  return {
    size: (parameters) => outputSize(model, parameters),
    charge: (parameters, producedSeconds, priceNo) => {
      const rule = priceNo === null ? undefined : prices.ruleOf(priceNo)
      return settlePrice(model, parameters, producedSeconds, rule)
    },
    deadlineMs: model.limits.deadlineSeconds * 1000,
  }
}

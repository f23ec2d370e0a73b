import { resultsMax } from '@framegate/contract'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ModelDefinition } from '../catalogue/model.ts'
import { outputSize } from '../catalogue/output-size.ts'
import { quotePrice, settlePrice } from '../catalogue/price.ts'
import type { Prices } from '../credits/prices.ts'
import type { FindModelFacts, ModelFacts } from '../dispatch/model-facts.ts'
import type { OperatorModels } from '../models/operator-models.ts'

/**
 * Returns a function that looks up the facts of a model, in the version with which a task was
 * accepted. The function returns undefined if this version no longer exists.
 */
export function createFindModelFacts(
  catalogue: Pick<Catalogue, 'find'>,
  versions: Pick<OperatorModels, 'readVersion'>,
  prices: Pick<Prices, 'ruleOf'>,
): FindModelFacts {
  return (modelId, versionNo) => {
    const model = catalogue.find(modelId)
    if (model?.versionNo === versionNo) return factsOf(model, prices)
    if (versionNo === null) return undefined
    return versions.readVersion(versionNo).then((definition) => {
      if (definition === undefined) return undefined
      const isReplaced = model !== undefined && model.object !== definition.object
      return { ...factsOf(definition, prices), ...(isReplaced && { replacementKind: model.object }) }
    })
  }
}

function factsOf(model: ModelDefinition, prices: Pick<Prices, 'ruleOf'>): ModelFacts {
  return {
    size: (parameters) => outputSize(model, parameters),
    resultsMax: ({ n }) => Math.min(n ?? model.limits.resultsMax, resultsMax),
    charge: (parameters, producedSeconds, { priceNo, inputs }) => {
      const rule = priceNo === null ? undefined : prices.ruleOf(priceNo)
      return settlePrice(model, parameters, producedSeconds, rule, inputs)
    },
    hold: (parameters, { priceNo, inputs }) =>
      quotePrice(model, parameters, priceNo === null ? undefined : prices.ruleOf(priceNo), inputs),
    promptCharactersMax: model.limits.promptCharactersMax,
    deadlineMs: model.limits.deadlineSeconds * 1000,
  }
}

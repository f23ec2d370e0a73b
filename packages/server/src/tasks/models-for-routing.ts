import type { DefinedModels } from '../catalogue/catalogue.ts'
import { findTotalRefusal } from '../catalogue/effective/find-served-requests.ts'
import { tokenObjectOf } from '../catalogue/token-model.ts'
import { embeddedTextsOf } from '../drivers/embedded/embedded-texts.ts'
import { everyModel } from '../routing/configuration/definitions.ts'
import type { RoutingContext } from '../routing/configuration/load-routing.ts'
import { upstreamRequest } from './upstream-request.ts'

/**
 * Returns what the validation of routes needs to know about models, such as the Model IDs, or the
 * reason why a route can serve no request for its model. The returned object always reflects the
 * current catalogue.
 */
export function modelsForRouting(catalogue: DefinedModels, drivers: RoutingContext['drivers']): RoutingContext {
  const isEmbeddedText = embeddedTextsOf(catalogue)
  let cachedModels: DefinedModels['models'] = []
  let cachedIds: ReadonlySet<string> = new Set()
  return {
    drivers,
    get modelIds() {
      // Cached, because the validation of each route reads the set.
      if (cachedModels !== catalogue.models) cachedIds = new Set(catalogue.models.map(({ id }) => id))
      cachedModels = catalogue.models
      return cachedIds
    },
    needsUpstream: (modelId) => isEmbeddedText(modelId) === false,
    findUnusableReason(modelId, { refuse, forwards }) {
      const namedModel = catalogue.find(modelId)
      const tokenObject = namedModel && tokenObjectOf(namedModel)
      if (tokenObject !== undefined) {
        return forwards
          ? null
          : `cannot serve ${modelId}, because the driver does not support ${tokenObject} models; use an upstream with the driver openai`
      }
      let reason: string | null = null
      for (const model of modelId === everyModel
        ? catalogue.models.filter((candidate) => tokenObjectOf(candidate) === undefined)
        : namedModel === undefined
          ? []
          : [namedModel]) {
        const refusal = findTotalRefusal(model.parameters, (parameters) => refuse(upstreamRequest(model, parameters)))
        if (refusal === null) return null
        reason ??= `cannot serve any request for ${model.id}: ${refusal.message}`
      }
      return reason
    },
  }
}

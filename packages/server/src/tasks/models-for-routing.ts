import type { DefinedModels } from '../catalogue/catalogue.ts'
import { totalRefusal } from '../catalogue/effective/find-ability.ts'
import { tokenObjectOf } from '../catalogue/token-model.ts'
import { embeddedTextsOf } from '../drivers/embedded/embedded-texts.ts'
import { everyModel } from '../routing/definitions.ts'
import type { RoutingContext } from '../routing/load-routing.ts'
import { upstreamRequest } from './upstream-request.ts'

/**
 * Facts about models for the check of routing entries: the known IDs, and the reason why a route
 * could serve no request for its model. The facts follow changes of the catalogue.
 */
export function modelsForRouting(catalogue: DefinedModels, drivers: RoutingContext['drivers']): RoutingContext {
  const isEmbeddedText = embeddedTextsOf(catalogue)
  let idsOf: DefinedModels['models'] = []
  let ids: ReadonlySet<string> = new Set()
  return {
    drivers,
    get modelIds() {
      // The set is cached, because the check of each route reads it.
      if (idsOf !== catalogue.models) ids = new Set(catalogue.models.map(({ id }) => id))
      idsOf = catalogue.models
      return ids
    },
    needsUpstream: (modelId) => isEmbeddedText(modelId) === false,
    findUnusableRoute(modelId, { refuse, forwards }) {
      const named = catalogue.find(modelId)
      const tokenObject = named && tokenObjectOf(named)
      if (tokenObject !== undefined) {
        return forwards
          ? null
          : `cannot serve ${modelId}, which is a model of the kind ${tokenObject}; its upstream needs the driver openai`
      }
      let reason: string | null = null
      for (const model of modelId === everyModel
        ? catalogue.models.filter((candidate) => tokenObjectOf(candidate) === undefined)
        : named === undefined
          ? []
          : [named]) {
        const refusal = totalRefusal(model.parameters, (parameters) => refuse(upstreamRequest(model, parameters)))
        if (refusal === null) return null
        reason ??= `serves no request for ${model.id}: ${refusal.message}`
      }
      return reason
    },
  }
}

import type { DefinedModels } from '../catalogue/catalogue.ts'
import { whyServesNothing } from '../catalogue/effective/find-ability.ts'
import { everyModel } from '../routing/definitions.ts'
import type { KnownForRouting } from '../routing/load-routing.ts'
import { upstreamRequest } from './upstream-request.ts'

/**
 * Facts about models that a check of routing entries needs: the known IDs, and why a route could
 * serve no request for its model. They follow changes of the catalogue.
 */
export function modelsForRouting(catalogue: DefinedModels, drivers: KnownForRouting['drivers']): KnownForRouting {
  let idsOf: DefinedModels['models'] = []
  let ids: ReadonlySet<string> = new Set()
  return {
    drivers,
    get modelIds() {
      // Each route asks for them.
      if (idsOf !== catalogue.models) ids = new Set(catalogue.models.map(({ id }) => id))
      idsOf = catalogue.models
      return ids
    },
    findUselessRoute(modelId, refuse) {
      const named = catalogue.find(modelId)
      let reason: string | null = null
      for (const model of modelId === everyModel ? catalogue.models : named === undefined ? [] : [named]) {
        const refusal = whyServesNothing(model.parameters, (parameters) => refuse(upstreamRequest(model, parameters)))
        if (refusal === null) return null
        reason ??= `serves no request for ${model.id}: ${refusal.message}`
      }
      return reason
    },
  }
}

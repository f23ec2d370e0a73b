import { setImmediate as nextTick } from 'node:timers/promises'
import {
  effectiveModel,
  unrestrictedModel,
  type RouteWithRefusals,
  type EffectiveModel,
} from '../catalogue/effective/effective-model.ts'
import type { Model } from '../catalogue/model.ts'
import { tokenObjectOf } from '../catalogue/token-model.ts'
import { ranksOf } from '../routing/lanes.ts'
import type { Route } from '../routing/route.ts'
import type { Routes } from '../routing/routes.ts'
import { upstreamRequest } from './upstream-request.ts'

/** The effective models: each model narrowed to what its routes to upstreams can serve. */
export interface EffectiveModels {
  /** Returns the same object for a model until the routes change. */
  of(model: Model): EffectiveModel
  /**
   * Computes the effective models of these models in advance, in short steps that do not block
   * other work.
   */
  prepare(models: readonly Model[]): Promise<void>
  /** Changes whenever the routes change. */
  readonly version: number
}

/** Maximum time for which `prepare` blocks the event loop. */
const stallMsMax = 5

/** Computes effective models on first use, and again after each change of the routes. */
export function createEffectiveModels(routes: Pick<Routes, 'routesServing' | 'version'>): EffectiveModels {
  let version = routes.version
  let cachedModels = new WeakMap<Model, EffectiveModel>()

  function of(model: Model): EffectiveModel {
    if (version !== routes.version) {
      version = routes.version
      cachedModels = new WeakMap()
    }
    const cachedModel = cachedModels.get(model)
    if (cachedModel !== undefined) return cachedModel
    const effectiveModel = narrowModel(model, routes.routesServing(model.id))
    cachedModels.set(model, effectiveModel)
    return effectiveModel
  }

  return {
    get version() {
      return routes.version
    },
    of,
    async prepare(models) {
      let startedAtMs = performance.now()
      for (const model of models) {
        of(model)
        if (performance.now() - startedAtMs < stallMsMax) continue
        await nextTick()
        startedAtMs = performance.now()
      }
    },
  }
}

function narrowModel(model: Model, servingRoutes: readonly Route[]): EffectiveModel {
  if (tokenObjectOf(model) !== undefined) {
    const isServed = servingRoutes.some(({ settings }) => settings.forwards)
    return isServed ? unrestrictedModel(model) : effectiveModel(model, [])
  }
  // The embedded driver renders everything that a definition allows.
  if (servingRoutes.some(({ settings }) => settings.target === null)) return unrestrictedModel(model)
  const rankedRoutes = ranksOf(servingRoutes)
    .flat()
    .map(({ name, settings }): RouteWithRefusals => {
      const { refuse } = settings
      return { name, refuse: (parameters) => refuse(upstreamRequest(model, parameters)) }
    })
  return effectiveModel(model, rankedRoutes)
}

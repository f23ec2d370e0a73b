import type { Principal } from '../auth/principal.ts'
import { availabilityFor } from '../catalogue/availability-for.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { EffectiveModel } from '../catalogue/effective/effective-model.ts'
import type { Model } from '../catalogue/model.ts'
import { effectiveModelView } from '../catalogue/model-view.ts'
import { isOffered, requireOffered } from '../catalogue/offered.ts'
import { resolveModel } from '../catalogue/resolve-model.ts'
import type { Prices } from '../credits/prices.ts'
import type { Clock } from '../lib/clock.ts'
import type { EffectiveModels } from '../tasks/effective-models.ts'
import { invalidParameter } from './parameters/query-parameters.ts'

/** Renders the models of a brand as JSON text, with their availability and prices for a key. */
export interface ModelViews {
  /** Rejects with an `AppError` for an unknown cursor. */
  page(catalogue: Catalogue, principal: Principal, query: ModelPageQuery): Promise<{ texts: string[]; nextCursor: string | null }>
  /**
   * Throws an `AppError` if the brand does not show the model, or if the model has no price for the
   * key.
   */
  find(catalogue: Catalogue, principal: Principal, id: string): string
}

export interface ModelPageQuery {
  limit: number
  cursor: string | undefined
  isWanted: (model: Model) => boolean
}

export interface ModelViewsDependencies {
  prices: Pick<Prices, 'priceOf'>
  effectiveModels: EffectiveModels
  clock: Clock
}

export function createModelViews({ prices, effectiveModels, clock }: ModelViewsDependencies): ModelViews {
  /** The text of each model for keys that may invoke it and pay its default price. */
  const defaultTexts = new WeakMap<EffectiveModel, string>()

  function textOf(model: Model, principal: Principal): string {
    const effectiveModel = effectiveModels.of(model)
    const { displayed } = effectiveModel
    const availability = availabilityFor(displayed, principal.models)
    const { rule = null } = prices.priceOf(model, principal, clock()) ?? {}
    const isDefault = availability === displayed.availability && rule === model.price
    if (!isDefault) return JSON.stringify(effectiveModelView(effectiveModel, availability, rule))
    const text = defaultTexts.get(effectiveModel) ?? JSON.stringify(effectiveModelView(effectiveModel))
    defaultTexts.set(effectiveModel, text)
    return text
  }

  return {
    async page({ models }, principal, { limit, cursor, isWanted }) {
      const visibleModels = models.filter((model) => isWanted(model) && isOffered(prices, model, principal, clock()))
      const start = readPosition(visibleModels, cursor)
      const page = visibleModels.slice(start, start + limit)
      const lastModel = page.at(-1)
      const nextCursor = lastModel === undefined || lastModel === visibleModels.at(-1) ? null : encodeCursor(lastModel)
      await effectiveModels.prepare(page)
      return { texts: page.map((model) => textOf(model, principal)), nextCursor }
    },

    find(catalogue, principal, id) {
      const model = resolveModel(catalogue, id)
      requireOffered(prices, model, principal, clock())
      return textOf(model, principal)
    },
  }
}

function encodeCursor(model: Model): string {
  return Buffer.from(model.id).toString('base64url')
}

function readPosition(models: readonly Model[], cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const index = models.findIndex((model) => encodeCursor(model) === cursor)
  if (index === -1) throw invalidParameter('cursor', 'cursor must be the next_cursor of an earlier page.')
  return index + 1
}

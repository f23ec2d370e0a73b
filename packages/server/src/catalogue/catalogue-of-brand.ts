import { catalogueOf, type Catalogue } from './catalogue.ts'
import type { Availability, Model } from './model.ts'

/**
 * `hidden`: as if the model did not exist. `visible`: shown, but refused with brand_model_missing.
 */
export type Visibility = 'hidden' | 'visible' | 'invocable'

/** A brand's own settings for a model; null means the catalogue's. */
export interface BrandModel {
  readonly visibility: Visibility | null
  readonly title: string | null
}

/** Treatment of models without settings of the brand: as in the catalogue, or hidden. */
export type OtherModels = 'catalogue' | 'hidden'

export interface ShownModel {
  visibility: Visibility
  title: string
}

/** How a brand shows a model, by its own settings or by the catalogue's. */
export function shownModel(
  model: Pick<Model, 'id' | 'title' | 'availability'>,
  ownModels: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): ShownModel {
  const own = ownModels.get(model.id)
  const defaultVisibility = model.availability.available ? 'invocable' : 'visible'
  if (own === undefined) return { visibility: otherModels === 'hidden' ? 'hidden' : defaultVisibility, title: model.title }
  return { visibility: own.visibility ?? defaultVisibility, title: own.title ?? model.title }
}

/** The models that a brand shows. Hidden ones are absent, so that nothing can reveal them. */
export function catalogueOfBrand(
  all: Catalogue,
  ownModels: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): Catalogue {
  if (ownModels.size === 0 && otherModels === 'catalogue') return all
  return catalogueOf(
    all.models.flatMap((model) => {
      const { visibility, title } = shownModel(model, ownModels, otherModels)
      if (visibility === 'hidden') return []
      if (!ownModels.has(model.id)) return [model]
      return [{ ...model, title, availability: visibility === 'invocable' ? available : missing }]
    }),
  )
}

const available: Availability = { available: true, reason: null }
const missing: Availability = { available: false, reason: 'brand_model_missing' }

import { catalogueOf, type Catalogue } from './catalogue.ts'
import type { Availability, Model } from './model.ts'

/** `hidden`: as if there were no such model. `visible`: shown, and refused with brand_model_missing. */
export type Visibility = 'hidden' | 'visible' | 'invocable'

/** What a brand says of a model otherwise than the catalogue; null: the same. */
export interface BrandModel {
  readonly visibility: Visibility | null
  readonly title: string | null
}

/** Of the models of which it says nothing: as the catalogue has them, or none. */
export type OtherModels = 'catalogue' | 'hidden'

export interface ShownModel {
  visibility: Visibility
  title: string
}

/** How a brand shows a model, whoever says so. */
export function shownModel(
  model: Pick<Model, 'id' | 'title' | 'availability'>,
  ownModels: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): ShownModel {
  const own = ownModels.get(model.id)
  const usual = model.availability.available ? 'invocable' : 'visible'
  if (own === undefined) return { visibility: otherModels === 'hidden' ? 'hidden' : usual, title: model.title }
  return { visibility: own.visibility ?? usual, title: own.title ?? model.title }
}

/** What a brand shows of all models. A hidden one is not there at all, so that nothing can tell of it. */
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

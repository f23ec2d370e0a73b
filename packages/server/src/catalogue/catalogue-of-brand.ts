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

/** What a brand shows of all models. A hidden one is not there at all, so that nothing can tell of it. */
export function catalogueOfBrand(
  all: Catalogue,
  ownModels: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): Catalogue {
  if (ownModels.size === 0 && otherModels === 'catalogue') return all
  return catalogueOf(
    all.models.flatMap((model) => {
      const own = ownModels.get(model.id)
      if (own === undefined) return otherModels === 'hidden' ? [] : [model]
      return own.visibility === 'hidden' ? [] : [shownAs(model, own)]
    }),
  )
}

function shownAs(model: Model, { visibility, title }: BrandModel): Model {
  return {
    ...model,
    ...(title !== null && { title }),
    ...(visibility !== null && { availability: visibility === 'invocable' ? available : missing }),
  }
}

const available: Availability = { available: true, reason: null }
const missing: Availability = { available: false, reason: 'brand_model_missing' }

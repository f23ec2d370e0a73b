import { catalogueOf, type Catalogue } from './catalogue.ts'
import type { Availability, Model } from './model.ts'

/**
 * Visibility of a model in a brand, which is a storefront with its own domain. A brand does not
 * list a `hidden` model, and treats its ID as unknown. It lists a `visible` model, but refuses its
 * requests with `brand_model_missing`.
 */
export type Visibility = 'hidden' | 'visible' | 'invocable'

/** A brand's own settings for a model. Null means that the setting of the catalogue applies. */
export interface BrandModel {
  readonly visibility: Visibility | null
  readonly title: string | null
}

/** How a brand treats models for which it has no settings: as in the catalogue, or hidden. */
export type OtherModels = 'catalogue' | 'hidden'

export interface ModelInBrand {
  visibility: Visibility
  title: string
}

/**
 * Returns the visibility and title of a model in a brand. The brand's own settings take precedence
 * over those of the catalogue.
 */
export function viewInBrand(
  model: Pick<Model, 'id' | 'title' | 'availability'>,
  settingsByModelId: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): ModelInBrand {
  const override = settingsByModelId.get(model.id)
  const defaultVisibility = model.availability.available ? 'invocable' : 'visible'
  if (override === undefined) return { visibility: otherModels === 'hidden' ? 'hidden' : defaultVisibility, title: model.title }
  return { visibility: override.visibility ?? defaultVisibility, title: override.title ?? model.title }
}

/**
 * Returns the models that a brand shows. It omits hidden models, so that no response can reveal
 * them.
 */
export function catalogueOfBrand(
  fullCatalogue: Catalogue,
  settingsByModelId: ReadonlyMap<string, BrandModel>,
  otherModels: OtherModels,
): Catalogue {
  if (settingsByModelId.size === 0 && otherModels === 'catalogue') return fullCatalogue
  return catalogueOf(
    fullCatalogue.models.flatMap((model) => {
      const { visibility, title } = viewInBrand(model, settingsByModelId, otherModels)
      if (visibility === 'hidden') return []
      if (!settingsByModelId.has(model.id)) return [model]
      return [{ ...model, title, availability: visibility === 'invocable' ? availableStatus : unavailableStatus }]
    }),
  )
}

const availableStatus: Availability = { available: true, reason: null }
const unavailableStatus: Availability = { available: false, reason: 'brand_model_missing' }

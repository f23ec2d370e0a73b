import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'

/** Name of the product, and initial name of an installation's first brand. */
export const productName = 'Framegate'
export const firstBrandId = 'brand_default'

/** A white-label storefront. Immutable: a change of the brand creates a new object. */
export interface Brand {
  readonly no: number
  readonly id: string
  /** Display name. */
  readonly name: string
  /**
   * Whether the product name must not appear in anything that clients of the brand receive. False
   * only for the first brand, as long as it has the product's name.
   */
  readonly isWhiteLabel: boolean
  /** Color in the form `#rrggbb`, in lower case. */
  readonly color: string | null
  /** Digest of the uploaded logo file. Null: no logo. */
  readonly logoSha256: string | null
  /** Whether the brand serves all hosts that do not belong to a brand. */
  readonly isDefault: boolean
  /** Host names in the form that `readHostName` returns. */
  readonly hosts: readonly string[]
  /** Origin of the brand's result links. Null: the origin of the installation. */
  readonly resultOrigin: string | null
  /** The brand's settings for individual models, by Model ID. */
  readonly models: ReadonlyMap<string, BrandModel>
  /** Visibility of models that are not in `models`. */
  readonly otherModels: OtherModels
  /** Null: no limit. */
  readonly tasksInFlightMax: number | null
  /** Micro-credits. Null: no limit. */
  readonly creditsInFlightMax: number | null
  /** Days for which prompts are kept after their tasks end. Null: as long as results. */
  readonly promptRetentionDays: number | null
  readonly createdAtMs: number
  /** The models as the brand shows them. */
  readonly catalogue: Catalogue
}

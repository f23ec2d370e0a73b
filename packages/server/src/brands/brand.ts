import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'

/**
 * Name of the product, and of an installation's first brand until an operator renames the brand.
 */
export const productName = 'Framegate'
export const firstBrandId = 'brand_default'

/**
 * A white-label storefront. The object is immutable. A change of the brand creates a new object.
 */
export interface Brand {
  readonly no: number
  readonly id: string
  /** Display name. */
  readonly name: string
  /**
   * Whether nothing that clients of the brand receive names the product. False only for the first
   * brand, as long as the brand has the product's name.
   */
  readonly isWhiteLabel: boolean
  /** Color in the form `#rrggbb`, in lower case. */
  readonly color: string | null
  /** Digest of the file that the logo was made from; null without a logo. */
  readonly logoSha256: string | null
  /** Whether the brand serves every host that belongs to no brand. */
  readonly isDefault: boolean
  /** Host names in the form that `readHostName` returns. */
  readonly hosts: readonly string[]
  /** Origin of the brand's result links; null means the origin of the installation. */
  readonly resultOrigin: string | null
  /** The brand's settings for single models, by Model ID. */
  readonly models: ReadonlyMap<string, BrandModel>
  /** Setting for models that are not in `models`. */
  readonly otherModels: OtherModels
  /** Null means no limit. Credits are micro-credits. */
  readonly tasksInFlightMax: number | null
  readonly creditsInFlightMax: number | null
  /**
   * Days for which prompts are kept after the end of their tasks; null means as long as results.
   */
  readonly promptRetentionDays: number | null
  readonly createdAtMs: number
  /** The models as the brand shows them. */
  readonly catalogue: Catalogue
}

import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'

/** Name and id of an installation's first brand until an operator renames it. */
export const productName = 'Framegate'
export const firstBrandId = 'brand_default'

/** A white-label storefront. Immutable, and the same object until something in it changes. */
export interface Brand {
  readonly no: number
  readonly id: string
  /** Display name. */
  readonly name: string
  /**
   * True when nothing that its clients receive names the product. False only for the first brand,
   * while it has the product's name.
   */
  readonly isWhiteLabel: boolean
  /** As `#rrggbb`, in lower case. */
  readonly color: string | null
  /** Digest of the file that the logo was made from; null without a logo. */
  readonly logoSha256: string | null
  /** Serves every host that belongs to no brand. */
  readonly isDefault: boolean
  /** As `readHostName` returns them. */
  readonly hosts: readonly string[]
  /** Origin of its result links; null means that of the installation. */
  readonly resultOrigin: string | null
  /** Its settings for single models, by Model ID. */
  readonly models: ReadonlyMap<string, BrandModel>
  /** Setting for models without one of their own. */
  readonly otherModels: OtherModels
  /** Null means no limit. Credits are micro-credits. */
  readonly tasksInFlightMax: number | null
  readonly creditsInFlightMax: number | null
  /** Days that prompts are kept after their tasks have ended; null: as long as results. */
  readonly promptRetentionDays: number | null
  readonly createdAtMs: number
  /** The models as it shows them. */
  readonly catalogue: Catalogue
}

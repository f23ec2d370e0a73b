import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'

/** What an installation calls its first brand until an operator renames it. */
export const productName = 'Framegate'
export const firstBrandId = 'brand_default'

/** A domain's shop window. Never changed in place, and the same object as long as nothing of it changes. */
export interface Brand {
  readonly no: number
  readonly id: string
  /** As people see it. */
  readonly name: string
  /** Nothing that its clients receive names the product. Not so only of the first brand, as long as it has the product's name. */
  readonly isWhiteLabel: boolean
  /** As `#rrggbb`, in lower case. */
  readonly color: string | null
  /** Of the file that its logo was made of; null: it has none. */
  readonly logoSha256: string | null
  /** Answers on every host that belongs to no brand. */
  readonly isDefault: boolean
  /** As `readHostName` gives them. */
  readonly hosts: readonly string[]
  /** Where its result links point; null: where those of the installation do. */
  readonly resultOrigin: string | null
  /** What it says of single models, by Model ID. */
  readonly models: ReadonlyMap<string, BrandModel>
  /** Of which it says nothing. */
  readonly otherModels: OtherModels
  /** Null: without limit. Credits are micro-credits. */
  readonly tasksInFlightMax: number | null
  readonly creditsInFlightMax: number | null
  /** Days that prompts are kept after their tasks have ended; null: as long as results. */
  readonly promptRetentionDays: number | null
  readonly createdAtMs: number
  /** The models as it shows them. */
  readonly catalogue: Catalogue
}

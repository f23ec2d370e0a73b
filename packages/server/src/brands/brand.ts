import type { Catalogue } from '../catalogue/catalogue.ts'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'

/** A domain's shop window. Never changed in place, and the same object as long as nothing of it changes. */
export interface Brand {
  readonly no: number
  readonly id: string
  /** As people see it. */
  readonly name: string
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
  readonly createdAtMs: number
  /** The models as it shows them. */
  readonly catalogue: Catalogue
}

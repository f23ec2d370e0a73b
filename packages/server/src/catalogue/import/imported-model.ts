import type { RouteInput, RouteInputField } from '../../drivers/upstream/route-input.ts'
import type { InputsDocument } from '../definitions/model-document.ts'
import type { ModelType, ParameterSchema, TokenLimits } from '../model.ts'

export type { RouteInput, RouteInputField }

export type ImportedObject = ModelType

/**
 * What a converter makes of a source, before an operator gives it an ID, an upstream and a price.
 */
export interface ImportedModel {
  /** The ID that the source suggests. */
  suggestedId: string
  object: ImportedObject
  title: string
  description: string
  /** Empty for a token model. */
  parameters: Readonly<Record<string, ParameterSchema>>
  /** Only of a token model. */
  tokens?: TokenLimits
  required: readonly string[]
  /** Limits of given videos and sound, if the source states them. */
  inputs?: InputsDocument
  /** Request bodies without `model`. */
  examples: readonly Readonly<Record<string, unknown>>[]
  routes: readonly ImportedRoute[]
  /** What could not be mapped, or only in part, and why. */
  notes: readonly ImportNote[]
  /** What the provider says of its price, in its own words. */
  priceHint: string | null
  /** An https address of a picture. */
  cover: string | null
}

/** The part of a route that a source determines. */
export interface ImportedRoute {
  /** Distinguishes the routes of one model: the last part of the endpoint's name. */
  label: string
  upstreamModel: string
  input?: RouteInput
  extra?: Readonly<Record<string, unknown>>
  workflow?: Readonly<Record<string, unknown>>
  parameters?: Readonly<Record<string, string>>
  slots?: Readonly<Record<string, string>>
}

export interface ImportNote {
  /** The field of the provider, with its endpoint if there are several. */
  field: string
  /** A sentence. */
  message: string
}

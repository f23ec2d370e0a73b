import type { RouteInput, RouteInputField } from '../../drivers/upstream/route-input.ts'
import type { InputsDocument } from '../definitions/model-document.ts'
import type { ModelType, ParameterSchema, TokenLimits } from '../model.ts'

export type { RouteInput, RouteInputField }

export type ImportedObject = ModelType

/** A model that was converted from a source. It has no Model ID, upstream or price yet. */
export interface ImportedModel {
  suggestedId: string
  object: ImportedObject
  title: string
  description: string
  /** The parameters by name. Empty for a token model. */
  parameters: Readonly<Record<string, ParameterSchema>>
  /** Present only for a token model. */
  tokens?: TokenLimits
  required: readonly string[]
  /** Limits of input videos and sound, if the source states them. */
  inputs?: InputsDocument
  /** Request bodies without `model`. */
  examples: readonly Readonly<Record<string, unknown>>[]
  routes: readonly ImportedRoute[]
  /** Notes on each field that was not mapped, or mapped only in part, with the reason. */
  notes: readonly ImportNote[]
  /** The provider's text about its price. */
  priceHint: string | null
  /** The https URL of a cover image. */
  cover: string | null
}

/** The part of a route to the provider that a source determines. */
export interface ImportedRoute {
  /** Distinguishes the routes of one model, such as the last part of an endpoint's name. */
  label: string
  upstreamModel: string
  input?: RouteInput
  extra?: Readonly<Record<string, unknown>>
  workflow?: Readonly<Record<string, unknown>>
  parameters?: Readonly<Record<string, string>>
  slots?: Readonly<Record<string, string>>
}

export interface ImportNote {
  /**
   * The provider's field. If the model has several endpoints, the name of the endpoint precedes it.
   */
  field: string
  message: string
}

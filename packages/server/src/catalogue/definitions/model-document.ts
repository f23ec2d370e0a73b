import type { ModelType, ParameterSchema } from '../model.ts'

/**
 * A model as an operator writes it: an entry of `models` in `framegate.yaml`, a file of the folder
 * `models/`, the body of an admin request, or the output of an import. `readModelDocument` turns it
 * into a `ModelDefinition`.
 */
export interface ModelDocument {
  /** The Model ID, which clients send as `model`. It has 1 to 128 printable characters. */
  id: string
  /** Kind of the model: image, video, chat, embedding or moderation. */
  object: ModelType
  title?: string
  description?: string
  /**
   * Parameters in display order. The schema of a parameter of the shared vocabulary has only the
   * keywords that differ from the shared definition; `{}` changes nothing. Any other name is an own
   * parameter of this model. A token model has no parameters.
   */
  parameters?: Readonly<Record<string, ParameterDocument>>
  required?: readonly string[]
  /** Limits of input videos and sound. The service checks them before it holds credits. */
  inputs?: InputsDocument
  /**
   * Without a price, the model is listed for operators only, and clients' requests for it are
   * refused.
   */
  price?: PriceDocument
  /** Required for a token model, and refused for any other model. */
  max_input_tokens?: number
  /** Required for a chat model, and refused for any other model. */
  max_output_tokens?: number
  /** Time limit of an attempt, in seconds. */
  deadline?: number
  /** Request bodies without `model`. */
  examples?: readonly Readonly<Record<string, unknown>>[]
  /**
   * The origin of the definition, as any JSON object. The service stores it and ignores its
   * contents.
   */
  source?: Readonly<Record<string, unknown>>
}

export interface InputsDocument {
  video?: Readonly<Record<string, unknown>>
  audio?: Readonly<Record<string, unknown>>
  /** Maximum number of files of all kinds together, including images. */
  files_max?: number
}

/** JSON Schema 2020-12, limited to the keywords of `ParameterSchema`. */
export type ParameterDocument = ParameterSchema

/**
 * Credits: one number for all resolutions, or a number for each resolution. The key `*` stands for
 * all other resolutions.
 */
export type CreditsDocument = number | Readonly<Record<string, number>>

/**
 * A price has either exactly one of `per_image`, `per_second`, `per_task` and `per_million_tokens`,
 * or `unit` and `credits` as in the API. It may have the other fields of the API's price, such as
 * `minimum_credits` and `rounding`.
 */
export interface PriceDocument {
  per_image?: CreditsDocument
  per_second?: CreditsDocument
  per_task?: CreditsDocument
  /**
   * Credits for a million tokens of `input`, `cached_input` and `output`. Only for a token model.
   */
  per_million_tokens?: Readonly<Record<string, number>>
  readonly [field: string]: unknown
}

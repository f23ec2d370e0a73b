import type { ModelType, ParameterSchema } from '../model.ts'

/**
 * A model as an operator writes it: an entry of `models` in `framegate.yaml`, a file of the folder
 * `models/`, the body of an admin request, or the output of an import. `readModelDocument` turns it
 * into a `ModelDefinition`.
 */
export interface ModelDocument {
  /** What clients send as `model`. 1 to 128 printable characters. */
  id: string
  object: ModelType
  title?: string
  description?: string
  /**
   * Parameters in the order in which they are shown. A name of the shared vocabulary takes its shared
   * definition, which the keywords narrow; `{}` takes it unchanged. Any other name is a parameter of
   * this model alone, and upstreams receive it under that name. Left out for a token model.
   */
  parameters?: Readonly<Record<string, ParameterDocument>>
  required?: readonly string[]
  /** Limits of given videos and sound, which are checked before credits are held. */
  inputs?: InputsDocument
  /** Without a price, the model is listed for operators and refused for clients. */
  price?: PriceDocument
  /** Only for a token model. */
  max_input_tokens?: number
  /** Only for a chat model. */
  max_output_tokens?: number
  /** Time limit of an attempt, in seconds. */
  deadline?: number
  /** Request bodies without `model`. */
  examples?: readonly Readonly<Record<string, unknown>>[]
  /** Where the definition came from: any JSON object. The service only stores it. */
  source?: Readonly<Record<string, unknown>>
}

export interface InputsDocument {
  video?: Readonly<Record<string, unknown>>
  audio?: Readonly<Record<string, unknown>>
  /** Of all kinds together, images included. */
  files_max?: number
}

/** JSON Schema 2020-12, limited to the keywords of `ParameterSchema`. */
export type ParameterDocument = ParameterSchema

/** Credits, for all resolutions or by resolution, where `*` stands for all others. */
export type CreditsDocument = number | Readonly<Record<string, number>>

/**
 * One of `per_image`, `per_second`, `per_task` and `per_million_tokens`, with the other fields of a price; or a price in the
 * form of the API, with `unit` and `credits`.
 */
export interface PriceDocument {
  per_image?: CreditsDocument
  per_second?: CreditsDocument
  per_task?: CreditsDocument
  /** Only for a token model: credits for a million tokens of `input`, `cached_input` and `output`. */
  per_million_tokens?: Readonly<Record<string, number>>
  readonly [field: string]: unknown
}

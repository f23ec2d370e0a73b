import type { Capability, modelTypes, ParameterSchema, TaskObject, tokenObjects } from '@framegate/contract'
import type { ErrorObject } from 'ajv'
import type { GenerationParameters, ParameterName } from './generation-parameters.ts'
import type { InputLimits } from '../lib/input-limits.ts'

/** The families that have a v1 collection, at `{base_url}/v1/{family}/videos`. */
export const v1Families = ['vidB', 'vidC', 'vidD', 'vidG', 'veo'] as const
export type V1Family = (typeof v1Families)[number]

/**
 * Parameters that passed the model's schema and the reference checks, with every default filled in
 * and without `model`.
 */
export type ParsedParameters = GenerationParameters

export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
export type ParameterType = (typeof parameterTypes)[number]

export type { ParameterSchema, TaskObject }

export type ParameterSchemas = { [Name in ParameterName]?: ParameterSchema }

export interface RequestProperties extends ParameterSchemas {
  model: ParameterSchema
  [ownName: string]: ParameterSchema
}

/** The schema of a model's request body, in JSON Schema 2020-12. */
export interface RequestSchema {
  type: 'object'
  properties: RequestProperties
  required: readonly string[]
  dependentRequired?: Readonly<Record<string, readonly string[]>>
  /**
   * Sets of parameters. A request must have all parameters of at least one set. Present only in the
   * schema of an effective model, which is narrowed to what its routes can serve.
   */
  anyOf?: readonly { required: readonly string[] }[]
  additionalProperties: boolean
}

/**
 * The price of a model, in whole micro-credits. One credit is 1,000,000 micro-credits.
 * `microCredits` has a price for each allowed resolution. Its key `*` has the price of every
 * resolution that is not a key. With the units `image` and `second`, each result of a task is
 * charged. With the unit `task`, a task is charged once. With the unit `token`, the keys are
 * `input`, `cached_input` and `output`, and the prices are for a million tokens.
 */
export type PriceRule = {
  microCredits: Readonly<Record<string, number>>
  /** Amounts are rounded to multiples of `toMicroCredits`. */
  rounding?: { toMicroCredits: number; direction: RoundingDirection }
  inputs?: InputPrice
  /** Minimum price of a completed task. */
  taskMinimumMicroCredits?: number
} & (
  | { unit: 'image' | 'task' | 'token' }
  | {
      unit: 'second'
      /** Price that is added for each second when `audio` is true. */
      audioMicroCredits: number
      /** Minimum price of a completed video. */
      minimumMicroCredits: number
    }
)

/**
 * The price of a request's input files. It is charged for each result, or once with the unit
 * `task`.
 */
export interface InputPrice {
  /** Price for each second of the input videos, keyed by the resolution of the result. */
  secondMicroCredits?: Readonly<Record<string, number>>
  /**
   * If a request has an input video, the price of the result and of the input seconds is multiplied
   * by this factor.
   */
  videoFactor?: number
  /** Price for each input image after the first `imagesFree` images. */
  imageMicroCredits?: number
  imagesFree?: number
}

export const roundingDirections = ['up', 'nearest', 'down'] as const
export type RoundingDirection = (typeof roundingDirections)[number]

export interface ModelLimits {
  /** Time limit of an attempt, from its start. */
  deadlineSeconds: number
  promptCharactersMax: number
  referenceImagesMax: number
  /** Maximum number of results of a task whose request omits `n`. */
  resultsMax: number
  /**
   * Maximum length of all data URIs of a request together. 0 when the model accepts no data URI.
   */
  dataUriCharactersMax: number
}

/** Limits of a model that is charged by tokens. */
export interface TokenLimits {
  inputMax: number
  /** Maximum number of output tokens. 0 for a model that produces no tokens. */
  outputMax: number
}

export type Availability =
  | { available: true; reason: null }
  | { available: false; reason: 'brand_model_missing' | 'key_scope_missing' | 'no_route' }

export type RequestBody = { readonly model: string } & Readonly<GenerationParameters>

export type ModelType = (typeof modelTypes)[number]
/** Kinds of token models. The service forwards their requests and prices them by tokens. */
export type TokenObject = (typeof tokenObjects)[number]

/** Static facts about one model. */
export interface ModelDefinition {
  /** The Model ID. A request must contain it byte for byte. */
  id: string
  /** A human-readable name. Requests cannot use it in place of the Model ID. */
  displayName: string
  title: string
  description: string
  object: ModelType
  family: string
  /** The v1 collection that serves the model in addition to v2, which serves every model. */
  v1Family: V1Family | null
  capabilities: readonly Capability[]
  parameters: RequestSchema
  /** The resolution of a model without a `resolution` parameter. */
  fixedResolution: string | null
  /** Null for an operator's model without a price. Clients do not see such a model. */
  price: PriceRule | null
  limits: ModelLimits
  /** Present only for a token model. */
  tokens?: TokenLimits
  /**
   * Limits of the videos and sound of a request. Without this field, only the limits of the service
   * apply.
   */
  inputLimits?: InputLimits
  examples: readonly RequestBody[]
  /**
   * Availability for brands without a setting of their own. An operator can make a model available
   * whose reason is `brand_model_missing`.
   */
  availability: Availability
}

export interface Family {
  id: string
  v1Family: V1Family | null
  models: readonly ModelDefinition[]
}

/** A model with compiled validators. Both validators take the parameters without `model`. */
export interface Model extends ModelDefinition {
  /**
   * Number of this version of an operator's definition. Tasks record it. Null for a built-in model.
   */
  versionNo: number | null
  /**
   * Whether the parameters are valid. Runs on the hot path, so it stops at the first error. Fills
   * defaults into `parameters` and changes nothing else.
   */
  accepts(parameters: object): boolean
  /** Finds all errors. Called only for a request that `accepts` has refused. */
  findErrors(parameters: object): readonly ErrorObject[]
}

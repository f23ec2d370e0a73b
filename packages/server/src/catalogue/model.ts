import type { Capability } from '@framegate/contract'
import type { ErrorObject } from 'ajv'
import type { GenerationParameters } from '../drivers/driver.ts'

/** The collections of the v1 interface: `{base_url}/v1/{family}/videos`. */
export const v1Families = ['vidB', 'vidC', 'vidD', 'vidG', 'veo'] as const
export type V1Family = (typeof v1Families)[number]

/** Parameters that passed the model's schema and the reference checks, with every default filled in and without `model`. */
export type ParsedParameters = GenerationParameters
type ParameterName = keyof GenerationParameters

/** The JSON Schema of one parameter: the few keywords that the catalogue uses, so that a message can be made from each. */
export interface ParameterSchema {
  type: 'string' | 'integer' | 'boolean' | 'array'
  description: string
  default?: string | number | boolean
  const?: string | number
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  items?: PictureSchema
}

/** Of one picture in a list. */
export interface PictureSchema {
  type: 'string'
  description: string
  pattern: string
}

export type ParameterSchemas = { [Name in ParameterName]?: ParameterSchema }

/** The whole request body of one model, JSON Schema 2020-12. */
export interface RequestSchema {
  type: 'object'
  properties: { model: ParameterSchema } & ParameterSchemas
  required: readonly string[]
  dependentRequired?: Readonly<Record<string, readonly string[]>>
  additionalProperties: false
}

/**
 * Prices are whole micro-credits: 1 credit is 1,000,000. Each allowed resolution has its price, or `*` stands for those that are not
 * named. An image is one of a task, so `image` and `task` reckon alike.
 */
export type PriceRule = {
  microCredits: Readonly<Record<string, number>>
  /** Amounts become multiples of this. */
  rounding?: { toMicroCredits: number; direction: RoundingDirection }
} & (
  | { unit: 'image' | 'task' }
  | {
      unit: 'second'
      /** Added to each second when `audio` is true. */
      audioMicroCredits: number
      /** The least that a completed video costs. */
      minimumMicroCredits: number
    }
)

export const roundingDirections = ['up', 'nearest', 'down'] as const
export type RoundingDirection = (typeof roundingDirections)[number]

export interface ModelLimits {
  /** How long an attempt may take from its start. */
  deadlineSeconds: number
  promptCharactersMax: number
  referenceImagesMax: number
  /** All data URIs of one request together; 0 where only addresses are taken. */
  dataUriCharactersMax: number
}

export type Availability =
  | { available: true; reason: null }
  | { available: false; reason: 'brand_model_missing' | 'key_scope_missing' }

export type RequestBody = { readonly model: string } & Readonly<GenerationParameters>

/** One model as plain facts. */
export interface ModelDefinition {
  /** Matched byte for byte. */
  id: string
  /** For people only: it never resolves to the model. */
  displayName: string
  title: string
  description: string
  object: 'image' | 'video'
  family: string
  /** The v1 collection that serves the model, besides v2 which serves every model. */
  v1Family: V1Family | null
  capabilities: readonly Capability[]
  parameters: RequestSchema
  /** For a model without a `resolution` parameter: what it always makes. */
  fixedResolution: string | null
  price: PriceRule
  limits: ModelLimits
  examples: readonly RequestBody[]
  /** Unless a brand says otherwise; an operator can grant what is missing. */
  availability: Availability
}

export interface Family {
  id: string
  v1Family: V1Family | null
  models: readonly ModelDefinition[]
}

/** A model that is ready to check requests. Both validators take the parameters without `model`. */
export interface Model extends ModelDefinition {
  /** The hot path: stops at the first fault. Fills defaults into what it is given and changes nothing else. */
  accepts(parameters: object): boolean
  /** Only for the refusal: every fault at once. */
  findFaults(parameters: object): readonly ErrorObject[]
}

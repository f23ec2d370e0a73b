import type { RequestOptions } from './call-options.ts'
import type { AnyModel } from './task-request.ts'
import { readPage, type Page } from './page.ts'
import type { Transport } from './transport.ts'

/**
 * Result type of a model. Models of type `chat`, `embedding` and `moderation` are token models:
 * they are priced by tokens, and their requests are not tasks.
 */
export type ModelType = 'image' | 'video' | 'text' | 'chat' | 'embedding' | 'moderation'

export type Capability =
  | 'text-to-video'
  | 'image-to-video'
  | 'first-and-last-frame'
  | 'reference-to-video'
  | 'text-to-image'
  | 'reference-to-image'
  | 'audio'
  | 'prompt-enhancement'
  | 'translation'
  | 'captioning'
  | 'storyboard'

/** Rounding of held and charged amounts to multiples of `to`, in credits. */
export interface PriceRounding {
  readonly to: number
  readonly direction: 'up' | 'nearest' | 'down'
}

/** Fields that a price of any unit may have. */
export interface PriceOfAllUnits {
  /** Credits per second of input video, by the resolution of the result. */
  readonly input_second_credits?: Readonly<Record<string, number>>
  /**
   * Factor for requests with an input video. It multiplies the price of the result and of the input
   * seconds.
   */
  readonly video_factor?: number
  /** Credits for each input image after the first `input_images_free`. */
  readonly input_image_credits?: number
  readonly input_images_free?: number
  /** Minimum price of a completed task. */
  readonly minimum_task_credits?: number
  readonly rounding?: PriceRounding
}

/** Price of a model in credits. In maps by resolution, `*` stands for all other resolutions. */
export type ModelPrice = PriceOfImageOrTask | PriceOfSecond

export interface PriceOfImageOrTask extends PriceOfAllUnits {
  readonly unit: 'image' | 'task' | 'token'
  /**
   * Credits per image or task, by resolution. With the unit `token`, credits per million tokens
   * under the keys `input`, `cached_input` and `output`.
   */
  readonly credits: Readonly<Record<string, number>>
}

export interface PriceOfSecond extends PriceOfAllUnits {
  readonly unit: 'second'
  /** Credits per second of the result, by resolution. */
  readonly credits: Readonly<Record<string, number>>
  /** Surcharge per second when `audio` is true. */
  readonly audio_credits: number
  /** Minimum price of a completed video. */
  readonly minimum_credits: number
}

/**
 * Limits on input videos and audio. The service measures the files and checks the limits before it
 * holds credits.
 */
export interface InputLimits {
  readonly video?: KindLimits
  readonly audio?: KindLimits
  /** Maximum number of images, videos and audio files together. */
  readonly files_max?: number
}

/** Limits on one type of file. Limits with `total` apply to all files of that type together. */
export interface KindLimits {
  /** Accepted media types. */
  readonly types?: readonly string[]
  readonly bytes_max?: number
  readonly bytes_total_max?: number
  readonly seconds_min?: number
  readonly seconds_max?: number
  readonly seconds_total_max?: number
  /** Minimum width and height in pixels. */
  readonly side_min?: number
  readonly side_max?: number
  /** Minimum number of pixels, width times height. */
  readonly pixels_min?: number
  readonly pixels_max?: number
  /** Minimum frame rate, in frames per second. */
  readonly fps_min?: number
  readonly fps_max?: number
}

/** JSON Schema of one parameter, or of a part of one. */
export interface ParameterSchema {
  /** Absent only with `anyOf`. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number | boolean)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: ParameterSchema
  readonly properties?: Readonly<Record<string, ParameterSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly maxProperties?: number
  readonly anyOf?: readonly ParameterSchema[]
  readonly examples?: readonly unknown[]
  /** Hint for forms: show this parameter among the advanced settings. */
  readonly 'x-advanced'?: boolean
}

/** JSON Schema 2020-12 of the whole request. */
export interface ParameterReference {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema'
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ParameterSchema>>
  readonly required: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  /** A request must contain all parameters of at least one of these sets. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[]
  /** True only for models whose requests are forwarded. */
  readonly additionalProperties: boolean
}

/** A model of the catalogue. */
export interface Model {
  /** The Model ID, which requests must contain byte for byte. */
  readonly id: string
  readonly object: 'model'
  readonly type: ModelType
  /** Display name. It is not valid as the `model` of a request. */
  readonly display_name: string
  readonly family: string
  readonly title: string
  readonly description: string
  readonly capabilities: readonly Capability[]
  readonly parameters: ParameterReference
  /** Parameters that this service omits, or offers with fewer values or a different default. */
  readonly narrowed: readonly { readonly parameter: string; readonly message: string }[]
  readonly price: ModelPrice
  readonly limits: {
    /** Maximum duration of an attempt in seconds. A task fails if an attempt takes longer. */
    readonly deadline_seconds: number
    readonly prompt_characters_max: number
    readonly reference_images_max: number
    /** Maximum total length of a request's data URIs in characters; 0 if the model accepts none. */
    readonly data_uri_characters_max: number
    /** Limits on input videos and audio. Absent if only the service's limits apply. */
    readonly inputs?: InputLimits
    /** Maximum number of tokens in a request. Present only for token models. */
    readonly max_input_tokens?: number
    /** Maximum number of tokens in a response. Present only for chat models. */
    readonly max_output_tokens?: number
  }
  /** Resolution of the results if the model has no `resolution` parameter; otherwise null. */
  readonly fixed_resolution: string | null
  /** Valid example requests. */
  readonly examples: readonly { readonly model: string; readonly [parameter: string]: unknown }[]
  /** Whether this key may invoke the model. */
  readonly available: boolean
  /** The error code that a request for this model would get; null if the model is available. */
  readonly reason: 'brand_model_missing' | 'key_scope_missing' | 'no_route' | null
  /**
   * Paths for requests to the model, relative to the base URL. Token models have `openai`, all
   * others `v2`.
   */
  readonly endpoints: { readonly v2?: string; readonly v1?: string; readonly openai?: string }
}

export interface ModelListOptions extends RequestOptions {
  /** Only models with this result type. Default: all. */
  object?: ModelType | undefined
  /** Models per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface Models {
  /**
   * Lists the models of the catalogue. `for await (const model of await client.models.list())`
   * iterates over every model.
   */
  list(options?: ModelListOptions): Promise<Page<Model>>
  /** Returns one model by its ID. */
  get(id: AnyModel, options?: RequestOptions): Promise<Model>
}

const path = '/v2/model-center/models'

export function createModels(transport: Transport): Models {
  return {
    list({ object, limit, cursor: initialCursor, ...options } = {}) {
      const fetchPage = async (cursor?: string) =>
        (await transport.call<Page<Model>>({ method: 'GET', path, query: { object, limit, cursor } }, options)).body
      return readPage(fetchPage, initialCursor)
    },

    async get(id, options) {
      return (await transport.call<Model>({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` }, options)).body
    },
  }
}

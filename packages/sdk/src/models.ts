import type { RequestOptions } from './call-options.ts'
import type { AnyModel } from './task-request.ts'
import { readPage, type Page } from './page.ts'
import type { Transport } from './transport.ts'

export type Capability =
  | 'text-to-video'
  | 'image-to-video'
  | 'first-and-last-frame'
  | 'reference-to-video'
  | 'text-to-image'
  | 'reference-to-image'
  | 'audio'

/** What is held and charged is a multiple of `to`, in credits. */
export interface PriceRounding {
  readonly to: number
  readonly direction: 'up' | 'nearest' | 'down'
}

/** In credits, by resolution; `*` stands for those that are not named. */
export type ModelPrice =
  | {
      readonly unit: 'image' | 'task'
      readonly credits: Readonly<Record<string, number>>
      readonly rounding?: PriceRounding
    }
  | {
      readonly unit: 'second'
      readonly credits: Readonly<Record<string, number>>
      /** Added to each second when `audio` is true. */
      readonly audio_credits: number
      /** The least that a completed video costs. */
      readonly minimum_credits: number
      readonly rounding?: PriceRounding
    }

/** JSON Schema of one parameter. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly description: string
  readonly default?: string | number | boolean
  readonly const?: string | number
  readonly enum?: readonly (string | number)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: { readonly type: 'string'; readonly pattern: string; readonly description: string }
}

/** JSON Schema 2020-12 of the whole request. */
export interface ParameterReference {
  readonly $schema: 'https://json-schema.org/draft/2020-12/schema'
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ParameterSchema>>
  readonly required: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly additionalProperties: false
}

/** A model of the catalogue. */
export interface Model {
  /** The Model ID that a task names, byte for byte. */
  readonly id: string
  readonly object: 'model'
  /** What it makes. */
  readonly type: 'image' | 'video'
  /** For people only: a task that names it is refused. */
  readonly display_name: string
  readonly family: string
  readonly title: string
  readonly description: string
  readonly capabilities: readonly Capability[]
  readonly parameters: ParameterReference
  readonly price: ModelPrice
  readonly limits: {
    /** A task fails when one attempt takes longer. */
    readonly deadline_seconds: number
    readonly prompt_characters_max: number
    readonly reference_images_max: number
    /** All data URIs of one request together; 0 where only addresses are taken. */
    readonly data_uri_characters_max: number
  }
  /** What is made when the model has no `resolution` parameter; null when it has one. */
  readonly fixed_resolution: string | null
  /** Requests that it takes. */
  readonly examples: readonly { readonly model: string; readonly [parameter: string]: unknown }[]
  /** Whether this key may invoke it. */
  readonly available: boolean
  /** The error code that a task is refused with when not available. */
  readonly reason: 'brand_model_missing' | 'key_scope_missing' | null
  /** Where to submit, below the base URL. */
  readonly endpoints: { readonly v2: string; readonly v1?: string }
}

export interface ModelListOptions extends RequestOptions {
  /** Only models that make this. Default: all. */
  object?: 'image' | 'video' | undefined
  /** Models on a page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the page before. Default: the first page. */
  cursor?: string | undefined
}

export interface Models {
  /** The catalogue, page by page: `for await (const model of await client.models.list())` sees every model. */
  list(options?: ModelListOptions): Promise<Page<Model>>
  /** One model by its ID. */
  get(id: AnyModel, options?: RequestOptions): Promise<Model>
}

const path = '/v2/model-center/models'

export function createModels(transport: Transport): Models {
  return {
    list({ object, limit, cursor: first, ...options } = {}) {
      const read = async (cursor?: string) =>
        (await transport.call<Page<Model>>({ method: 'GET', path, query: { object, limit, cursor } }, options)).body
      return readPage(read, first)
    },

    async get(id, options) {
      return (await transport.call<Model>({ method: 'GET', path: `${path}/${encodeURIComponent(id)}` }, options)).body
    },
  }
}

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

/** In credits, by resolution. */
export type ModelPrice =
  | { unit: 'image'; credits: Record<string, number> }
  | { unit: 'second'; credits: Record<string, number>; audio_credits: number; minimum_credits: number }

/** A model of the catalogue. */
export interface Model {
  /** The Model ID that a task names, byte for byte. */
  id: string
  object: 'model'
  /** What it makes. */
  type: 'image' | 'video'
  display_name: string
  family: string
  title: string
  description: string
  capabilities: readonly Capability[]
  /** JSON Schema of the request. */
  parameters: Record<string, unknown>
  price: ModelPrice
  limits: {
    deadline_seconds: number
    prompt_characters_max: number
    reference_images_max: number
    data_uri_characters_max: number
  }
  /** What is made when the model has no `resolution` parameter; null when it has one. */
  fixed_resolution: string | null
  /** Requests that it takes. */
  examples: readonly ({ model: string } & Record<string, unknown>)[]
  /** Whether this account may invoke it. */
  available: boolean
  /** An error code when it may not. */
  reason: string | null
  /** Below the base URL. */
  endpoints: { v2: string; v1?: string }
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

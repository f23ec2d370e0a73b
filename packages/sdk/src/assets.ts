import type { RequestOptions } from './call-options.ts'
import { readPage, type Page } from './page.ts'
import type { Transport } from './transport.ts'

/**
 * An image, video or sound that the account keeps. Every parameter of its kind accepts it as
 * `asset:ID`.
 */
export interface Asset {
  id: string
  object: 'asset'
  /** Unix seconds. */
  created: number
  name: string | null
  /** Detected from the content. */
  content_type:
    | 'image/jpeg'
    | 'image/png'
    | 'image/webp'
    | 'image/avif'
    | 'image/gif'
    | 'video/mp4'
    | 'video/quicktime'
    | 'video/webm'
    | 'audio/mpeg'
    | 'audio/wav'
    | 'audio/mp4'
    | 'audio/flac'
    | 'audio/ogg'
  size_bytes: number
  sha256: string
  /** In pixels, as displayed; null for sound. */
  width: number | null
  height: number | null
  /** Length of a video or sound; null for images. */
  seconds: number | null
  /** Average frame rate of a video; null for images and sound. */
  fps: number | null
  /** True for sound, and for a video with a sound track. */
  has_audio: boolean
  /** Signed, expiring URL of the file. Every response has a new one. */
  url: string
  /** When `url` stops working, Unix seconds. */
  expires_at: number
}

export interface DeletedAsset {
  id: string
  object: 'asset'
  deleted: true
}

/** The file itself, or the public URL or data URI that the service reads it from. */
export type NewAsset = {
  /** A name for people. Default: the name of the file, if it has one. */
  name?: string | undefined
} & ({ file: Blob | Uint8Array; url?: undefined } | { url: string; file?: undefined })

export interface AssetListOptions extends RequestOptions {
  /** Assets per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface Assets {
  /** Stores an image, video or sound. The same bytes give the same asset, so this is safe to repeat. */
  create(asset: NewAsset, options?: RequestOptions): Promise<Asset>
  /** Returns the asset with a new `url`. */
  get(id: string, options?: RequestOptions): Promise<Asset>
  /**
   * Lists this account's assets, newest first.
   * `for await (const asset of await client.assets.list())` iterates over all of them.
   */
  list(options?: AssetListOptions): Promise<Page<Asset>>
  /** Deletes an asset. Tasks that were accepted before still use the file. */
  delete(asset: string | Asset, options?: RequestOptions): Promise<DeletedAsset>
}

const path = '/v2/assets'

export function createAssets(transport: Transport): Assets {
  const one = <T>(method: 'GET' | 'DELETE', id: string, options?: RequestOptions) =>
    transport.call<T>({ method, path: `${path}/${encodeURIComponent(id)}` }, options).then(({ body }) => body)

  return {
    async create({ file, url, name }, options) {
      const request = file === undefined ? { path: `${path}/import`, body: { url, name } } : { path, body: formOf(file, name) }
      return (await transport.call<Asset>({ method: 'POST', ...request }, options)).body
    },

    get: (id, options) => one('GET', id, options),

    list({ limit, cursor: first, ...options } = {}) {
      const read = async (cursor?: string) =>
        (await transport.call<Page<Asset>>({ method: 'GET', path, query: { limit, cursor } }, options)).body
      return readPage(read, first)
    },

    delete: (asset, options) => one('DELETE', typeof asset === 'string' ? asset : asset.id, options),
  }
}

function formOf(file: Blob | Uint8Array, name: string | undefined): FormData {
  const form = new FormData()
  const blob = file instanceof Blob ? file : new Blob([file])
  // Without an explicit name, FormData calls a blob "blob".
  form.append('file', blob, 'name' in blob ? String(blob.name) : '')
  if (name !== undefined) form.append('name', name)
  return form
}

import type { Asset } from './asset.ts'
import type { RequestOptions } from './call-options.ts'
import { loadBlob } from './load-blob.ts'
import { readPage, type Page } from './page.ts'
import { uploadInParts, type AssetCreateOptions } from './resumable-upload.ts'
import type { Transport } from './transport.ts'

export interface DeletedAsset {
  id: string
  object: 'asset'
  deleted: true
}

/** A new asset: a file, or a public URL or data URI from which the service reads the file. */
export type NewAsset = {
  /** Display name. Default: the name of the file, if it has one. */
  name?: string | undefined
  /**
   * SHA-256 of the file in hexadecimal digits. It is used only if the file is sent in several
   * requests: the service then rejects a file with another hash.
   */
  sha256?: string | undefined
} & ({ file: Blob | Uint8Array; url?: undefined } | { url: string; file?: undefined })

export interface AssetListOptions extends RequestOptions {
  /** Assets per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface Assets {
  /**
   * Uploads an image, video or audio file. Uploading the same bytes again returns the same asset,
   * so calls can be repeated. A large file is sent in several requests, and the upload resumes
   * after a lost connection. A file-backed `Blob` is read in parts.
   */
  create(asset: NewAsset, options?: AssetCreateOptions): Promise<Asset>
  /** Returns the asset with a new `url`. */
  get(id: string, options?: RequestOptions): Promise<Asset>
  /**
   * Lists this account's assets, newest first.
   * `for await (const asset of await client.assets.list())` iterates over all of them.
   */
  list(options?: AssetListOptions): Promise<Page<Asset>>
  /** Deletes an asset. Tasks that were accepted before the deletion can still use the file. */
  delete(asset: string | Asset, options?: RequestOptions): Promise<DeletedAsset>
}

const path = '/v2/assets'
const defaultResumableAboveBytes = 16 * 1024 * 1024

export function createAssets(transport: Transport): Assets {
  const callAsset = <T>(method: 'GET' | 'DELETE', id: string, options?: RequestOptions) =>
    transport.call<T>({ method, path: `${path}/${encodeURIComponent(id)}` }, options).then(({ body }) => body)

  const post = async (request: { path: string; body: unknown }, options: RequestOptions) =>
    (await transport.call<Asset>({ method: 'POST', ...request }, options)).body

  return {
    async create({ file, url, name, sha256 }, { resumableAboveBytes = defaultResumableAboveBytes, ...options } = {}) {
      if (file === undefined) return post({ path: `${path}/import`, body: { url, name } }, options)
      const blob = file instanceof Blob ? file : new Blob([file])
      const useResumableUpload = options.upload !== undefined || blob.size > resumableAboveBytes
      if (useResumableUpload) return uploadInParts(transport, blob, { name: name ?? nameOf(blob), sha256 }, options)
      return post({ path, body: formOf(await loadBlob(blob), nameOf(blob), name) }, options)
    },

    get: (id, options) => callAsset('GET', id, options),

    list({ limit, cursor: initialCursor, ...options } = {}) {
      const fetchPage = async (cursor?: string) =>
        (await transport.call<Page<Asset>>({ method: 'GET', path, query: { limit, cursor } }, options)).body
      return readPage(fetchPage, initialCursor)
    },

    delete: (asset, options) => callAsset('DELETE', typeof asset === 'string' ? asset : asset.id, options),
  }
}

function formOf(blob: Blob, fileName: string | undefined, name: string | undefined): FormData {
  const form = new FormData()
  // Without an explicit name, FormData calls a blob "blob".
  form.append('file', blob, fileName ?? '')
  if (name !== undefined) form.append('name', name)
  return form
}

/** The name, if the blob is a `File`. */
function nameOf(blob: Blob): string | undefined {
  return 'name' in blob ? String(blob.name) : undefined
}

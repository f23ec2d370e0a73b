import type { Asset } from './asset.ts'
import type { Assets } from './assets.ts'
import type { RequestOptions } from './call-options.ts'

/**
 * Value of a file parameter: a URL, a data URI, `asset:ID`, an asset, or the file itself, which is
 * uploaded first.
 */
export type MediaInput = string | Blob | Uint8Array | Asset

/**
 * Uploads the files among a request's parameters, and returns the request with assets in their
 * place.
 */
export async function uploadInputs(assets: Pick<Assets, 'create'>, request: object, options: RequestOptions): Promise<object> {
  const toWire = async (value: unknown): Promise<unknown> => {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array || value instanceof Blob) return `asset:${(await assets.create({ file: value }, options)).id}`
    if ('object' in value && value.object === 'asset' && 'id' in value) return `asset:${String(value.id)}`
    return Array.isArray(value) ? convertInOrder(value, toWire) : value
  }
  const values = await convertInOrder(Object.values(request), toWire)
  return Object.fromEntries(Object.keys(request).map((name, index) => [name, values[index]]))
}

/** Converts the items one after the other, so that large uploads do not compete for bandwidth. */
async function convertInOrder<T>(items: readonly unknown[], convert: (item: unknown) => Promise<T>): Promise<T[]> {
  const converted: T[] = []
  for (const item of items) converted.push(await convert(item))
  return converted
}

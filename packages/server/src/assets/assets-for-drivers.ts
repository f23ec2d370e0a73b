import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import { fileNameOf } from './asset-file-name.ts'
import { findKept } from './asset-rows.ts'

/**
 * Access of drivers to the assets that a task names. Ownership was checked when the task was
 * accepted, and the files stay until the task ends, deleted or not, so an id is enough.
 */
export interface AssetsForDrivers {
  /** The file, byte for byte as uploaded; undefined when it is not kept. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /** The same as a stream, for large files. */
  openFile(assetId: string): Promise<Readable | undefined>
  /**
   * A URL at which an upstream can fetch the asset without a key, for one to two days. It stays the
   * same for a whole day, because a repeated request must be identical. Null when the asset is not
   * kept, its account is closed, or this service cannot be reached from outside.
   */
  publicUrl(assetId: string): Promise<string | null>
}

export interface AssetsForDriversParts {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'open'>
  signer: Pick<UrlSigner, 'sign'>
  /**
   * Whether our links work from outside, because the operator has configured the public address.
   */
  isReachable: boolean
  clock: Clock
}

/** One day: longer than any task may take. */
const daySeconds = 24 * 60 * 60

export function createAssetsForDrivers(parts: AssetsForDriversParts): AssetsForDrivers {
  const { query, mediaStore, signer, isReachable, clock } = parts
  async function openFile(assetId: string): Promise<Readable | undefined> {
    const asset = await findKept(query, assetId)
    const opened = asset && (await mediaStore.open(fileNameOf(asset)))
    if (opened === undefined) return undefined
    if (opened.sizeBytes !== asset?.size_bytes) {
      opened.stream.destroy()
      throw new MediaStoreError('damaged', `the file of ${assetId} has ${opened.sizeBytes} bytes instead of ${asset?.size_bytes}`)
    }
    return opened.stream
  }

  return {
    openFile,

    async readFile(assetId) {
      const stream = await openFile(assetId)
      return stream && (await buffer(stream))
    },

    async publicUrl(assetId) {
      const asset = isReachable ? await findKept(query, assetId) : undefined
      if (asset === undefined || asset.isOfClosedAccount) return null
      const nowSeconds = Math.floor(clock() / 1000)
      const expiresAt = Math.ceil((nowSeconds + daySeconds) / daySeconds) * daySeconds
      return signer.sign(fileNameOf(asset), nowSeconds, { linkSeconds: expiresAt - nowSeconds }).url
    },
  }
}

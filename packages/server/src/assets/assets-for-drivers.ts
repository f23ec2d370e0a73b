import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import { fileNameOf } from './asset-file-name.ts'
import { findWithFile } from './asset-rows.ts'

/**
 * Gives drivers access to the assets of a task. An id is sufficient, because ownership was checked
 * when the task was accepted. The file of a deleted asset is kept until the task ends.
 */
export interface AssetsForDrivers {
  /** Returns the size of the file in bytes. Undefined: the file is no longer stored. */
  sizeOf(assetId: string): Promise<number | undefined>
  /** Reads the file, byte for byte as uploaded. Undefined: the file is no longer stored. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /** Opens the file as a stream, for large files. Undefined: the file is no longer stored. */
  openFile(assetId: string): Promise<Readable | undefined>
  /**
   * Returns a URL at which an upstream can fetch the asset without a key. It is valid for one to
   * two days, and stays the same until midnight UTC, because a retried submit should be identical.
   * Null: the file is no longer stored, its account is closed, or upstreams cannot reach this
   * service.
   */
  publicUrl(assetId: string): Promise<string | null>
}

export interface AssetsForDriversDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'open'>
  signer: Pick<UrlSigner, 'sign'>
  /**
   * Whether upstreams can reach links of this service, because the operator has configured the
   * public URL.
   */
  isReachable: boolean
  clock: Clock
}

/** Minimum validity of a link. An upstream fetches the files of a job much sooner. */
const daySeconds = 24 * 60 * 60

export function createAssetsForDrivers(dependencies: AssetsForDriversDependencies): AssetsForDrivers {
  const { database, mediaStore, signer, isReachable, clock } = dependencies
  async function openFile(assetId: string): Promise<Readable | undefined> {
    const asset = await findWithFile(database, assetId)
    const openedFile = asset && (await mediaStore.open(fileNameOf(asset)))
    if (openedFile === undefined) return undefined
    if (openedFile.sizeBytes !== asset?.size_bytes) {
      openedFile.stream.destroy()
      throw new MediaStoreError(
        'damaged',
        `the file of ${assetId} has ${openedFile.sizeBytes} bytes instead of ${asset?.size_bytes}`,
      )
    }
    return openedFile.stream
  }

  return {
    openFile,

    async sizeOf(assetId) {
      return (await findWithFile(database, assetId))?.size_bytes
    },

    async readFile(assetId) {
      const stream = await openFile(assetId)
      return stream && (await buffer(stream))
    },

    async publicUrl(assetId) {
      const asset = isReachable ? await findWithFile(database, assetId) : undefined
      if (asset === undefined || asset.isOfClosedAccount) return null
      const nowSeconds = Math.floor(clock() / 1000)
      const expiresAt = Math.ceil((nowSeconds + daySeconds) / daySeconds) * daySeconds
      return signer.sign(fileNameOf(asset), nowSeconds, { linkSeconds: expiresAt - nowSeconds }).url
    },
  }
}

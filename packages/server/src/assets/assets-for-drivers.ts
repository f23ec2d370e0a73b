import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import type { UrlSigner } from '../media/sign-url.ts'
import { fileNameOf } from './asset-file-name.ts'
import { findKept } from './asset-rows.ts'

/**
 * What drivers are given of the assets that a task names. Whose they are was asked when the task was accepted, and until it has ended
 * their files stay, deleted or not: here the id is enough.
 */
export interface AssetsForDrivers {
  /** The file, byte for byte as it was uploaded; undefined when it is not kept. */
  readFile(assetId: string): Promise<Buffer | undefined>
  /**
   * Where an upstream may fetch it without a key, for a day or two: the same address for a whole day, since a request that is sent
   * again has to be the same one. Null when it is not kept, or nobody outside can reach us.
   */
  publicUrl(assetId: string): Promise<string | null>
}

export interface AssetsForDriversParts {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'open'>
  signer: Pick<UrlSigner, 'sign'>
  /** Whether our links lead here from outside: the operator has said under which address. */
  isReachable: boolean
  clock: Clock
}

/** Longer than any task may take. */
const daySeconds = 24 * 60 * 60

export function createAssetsForDrivers(parts: AssetsForDriversParts): AssetsForDrivers {
  const { query, mediaStore, signer, isReachable, clock } = parts
  return {
    async readFile(assetId) {
      const asset = await findKept(query, assetId)
      const opened = asset && (await mediaStore.open(fileNameOf(asset)))
      if (opened === undefined) return undefined
      if (opened.sizeBytes !== asset?.size_bytes) {
        opened.stream.destroy()
        throw new MediaStoreError(
          'damaged',
          `the file of ${assetId} has ${opened.sizeBytes} bytes instead of ${asset?.size_bytes}`,
        )
      }
      return await buffer(opened.stream)
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

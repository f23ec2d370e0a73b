import type { Readable } from 'node:stream'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { isAssetId } from '../identity/asset-id.ts'
import type { Clock } from '../lib/clock.ts'
import type { MediaFacts } from '../lib/media-type.ts'
import type { FetchUntrusted } from '../lib/guarded-fetch/fetch-untrusted.ts'
import { createIds } from '../identity/task-id.ts'
import type { MediaStore } from '../media/media-store.ts'
import { inputBytesMax, mediaInputLimits } from '../media/media-input-limits.ts'
import { FileReceiver, type ReceivedFile } from './file-receiver.ts'
import { findAsset, findWithFile, type AssetQuota, type StoredAsset } from './asset-rows.ts'
import { fetchFile } from './fetch-file.ts'
import { mediaFactsOf, type InspectFile } from './inspect-file.ts'
import { storeAsset, type StoreAssetRequest, type StoredAssetResult } from './store-asset.ts'
import { listPage, type AssetPage } from './list-page.ts'
import { createAssetSweep, deleteAsset, discardAsset, eraseAssets } from './remove-assets.ts'
import type { UploadLimits } from './uploads/upload-limits.ts'
import { createUploads, type Uploads } from './uploads/uploads.ts'

export interface AssetDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'put' | 'open' | 'remove'>
  fetchUntrusted: FetchUntrusted
  inspectFile: InspectFile
  /** Directory for files that are being received. */
  scratchDir: string
  quota: AssetQuota
  uploadLimits?: Partial<UploadLimits>
  clock: Clock
  /** Clock of the periodic sweeps. Default: `clock`. */
  expiryClock?: Clock
  nextAssetId?: () => string
  nextUploadId?: () => string
}

/**
 * Images, videos and audio files that accounts upload for their tasks. Methods throw an `AppError`
 * for problems that a client can fix.
 */
export interface Assets {
  /** Maximum size of a file of any kind, which is the limit for videos. */
  readonly bytesMax: number
  /** Resumable uploads. */
  readonly uploads: Uploads
  /** Receives a file from a request. The caller must dispose of it. */
  receive(accountNo: number, stream: Readable): Promise<ReceivedFile>
  /** Fetches a file from a URL or a data URI. The caller must dispose of it. */
  fetch(accountNo: number, source: string, signal: AbortSignal): Promise<ReceivedFile>
  store(request: StoreAssetRequest): Promise<StoredAssetResult>
  /**
   * Deletes an asset that was created for a rejected request, unless another request has stored the
   * same bytes since.
   */
  discard(stored: StoredAssetResult): Promise<void>
  find(accountNo: number, id: string): Promise<StoredAsset | undefined>
  list(accountNo: number, limit: number, cursor: string | undefined): Promise<AssetPage>
  delete(accountNo: number, id: string): Promise<StoredAsset | undefined>
  /** Returns the properties of an asset. Undefined: the account has no asset with this id. */
  factsOfAsset(accountNo: number, id: string): Promise<MediaFacts | undefined>
  /**
   * Returns the properties of a file at a URL or in a data URI, without storing the file. Error
   * messages begin with `fieldName`.
   */
  factsOfSource(accountNo: number, source: string, fieldName: string, signal: AbortSignal): Promise<MediaFacts>
  /** Removes all assets and resumable uploads of a closed account. */
  eraseAccount(accountNo: number, signal: AbortSignal): Promise<void>
  /**
   * Finds the asset that a signed link names. Undefined: there is no such file, or the account is
   * closed.
   */
  findLinked(id: string): Promise<StoredAsset | undefined>
  /**
   * Removes the files of deleted assets, and of assets whose upload was interrupted. Deletes their
   * rows a day later. Resumable uploads have their own `sweep`.
   */
  sweep(signal: AbortSignal): Promise<void>
}

const receivingFilesMax = 100
const receivingFilesPerAccountMax = 40
const [receivingBytesMax, receivingBytesPerAccountMax] = [4 * 1024 ** 3, 1024 ** 3]
const fetchLimits = { bytesMax: inputBytesMax, timeoutMs: mediaInputLimits.fetchTimeoutMs }

export async function openAssets(dependencies: AssetDependencies): Promise<Assets> {
  const { database, fetchUntrusted, scratchDir, clock, expiryClock = clock } = dependencies
  const receiver = await FileReceiver.open({
    directory: path.join(scratchDir, 'uploads'),
    bytesMax: mediaInputLimits.bytesMax,
    totalBytesMax: receivingBytesMax,
    bytesPerAccountMax: receivingBytesPerAccountMax,
    filesMax: receivingFilesMax,
    filesPerAccountMax: receivingFilesPerAccountMax,
  })
  const storeAssetDependencies = {
    // After a clock that was ahead is set back, new ids contain the present time, even if some
    // assets have ids with later times. The random bits of the ids keep them unique.
    nextAssetId: createIds('asset_', clock, { clockRecovery: { findNextMs: () => null } }),
    ...dependencies,
  }
  const store = (request: StoreAssetRequest) => storeAsset(storeAssetDependencies, request)
  const uploads = createUploads({
    ...dependencies,
    receiver,
    store,
    expiryClock,
    ...(dependencies.uploadLimits && { limits: dependencies.uploadLimits }),
  })

  return {
    bytesMax: inputBytesMax,
    uploads,
    receive: (accountNo, stream) => receiver.receive(accountNo, () => stream),
    fetch: (accountNo, source, signal) =>
      receiver.receive(accountNo, () => fetchFile(fetchUntrusted, source, { ...fetchLimits, signal })),
    store,
    discard: (stored) => discardAsset(dependencies, stored),
    find: async (accountNo, id) => (isAssetId(id) ? await findAsset(database, accountNo, id) : undefined),
    list: (accountNo, limit, cursor) => listPage(database, accountNo, limit, cursor),
    delete: async (accountNo, id) => (isAssetId(id) ? await deleteAsset(dependencies, accountNo, id) : undefined),
    async factsOfAsset(accountNo, id) {
      const asset = isAssetId(id) ? await findAsset(database, accountNo, id) : undefined
      return asset && mediaFactsOf(asset)
    },
    async factsOfSource(accountNo, source, fieldName, signal) {
      const open = () => fetchFile(fetchUntrusted, source, { ...fetchLimits, param: fieldName, signal })
      await using receivedFile = await receiver.receive(accountNo, open)
      const facts = await dependencies.inspectFile(accountNo, receivedFile, fieldName)
      return mediaFactsOf({ ...facts, size_bytes: receivedFile.sizeBytes })
    },
    async eraseAccount(accountNo, signal) {
      await uploads.eraseAccount(accountNo, signal)
      await eraseAssets(dependencies, accountNo, signal)
    },
    async findLinked(id) {
      const asset = isAssetId(id) ? await findWithFile(database, id) : undefined
      return asset?.isOfClosedAccount === true ? undefined : asset
    },
    sweep: createAssetSweep({ ...dependencies, clock: expiryClock }),
  }
}

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
import { ArrivingFiles, type ArrivedFile } from './arriving-files.ts'
import { findAsset, findKept, type AssetQuota, type StoredAsset } from './asset-rows.ts'
import { fetchFile } from './fetch-file.ts'
import { mediaFactsOf, type InspectFile } from './inspect-file.ts'
import { keepAsset, type KeepRequest, type KeptAsset } from './keep-asset.ts'
import { listPage, type AssetPage } from './list-page.ts'
import { deleteAsset, eraseAssets, sweepAssets } from './remove-assets.ts'
import type { UploadLimits } from './uploads/upload-limits.ts'
import { createUploads, type Uploads } from './uploads/uploads.ts'

export interface AssetParts {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'put' | 'open' | 'remove'>
  fetchUntrusted: FetchUntrusted
  inspectFile: InspectFile
  /** Directory for files that are being received. */
  scratchDir: string
  quota: AssetQuota
  uploadLimits?: Partial<UploadLimits>
  clock: Clock
  /** The clock for the final removal of files. Defaults to `clock`. */
  expiryClock?: Clock
  nextAssetId?: () => string
  nextUploadId?: () => string
}

/**
 * Images, videos and sound that accounts keep for their tasks. Throws AppErrors for problems that a client can fix.
 */
export interface Assets {
  readonly bytesMax: number
  /** Uploads of assets in several requests. */
  readonly uploads: Uploads
  /** Receives a file from a request. The caller must dispose of it. */
  receive(accountNo: number, stream: Readable): Promise<ArrivedFile>
  /** Fetches a file from a URL or a data URI. The caller must dispose of it. */
  fetch(accountNo: number, source: string, signal: AbortSignal): Promise<ArrivedFile>
  keep(request: KeepRequest): Promise<KeptAsset>
  find(accountNo: number, id: string): Promise<StoredAsset | undefined>
  list(accountNo: number, limit: number, cursor: string | undefined): Promise<AssetPage>
  delete(accountNo: number, id: string): Promise<StoredAsset | undefined>
  /**
   * The facts of an asset that a request names. Undefined if the account has no asset with this id.
   */
  factsOfAsset(accountNo: number, id: string): Promise<MediaFacts | undefined>
  /**
   * The facts of a file at a URL or in a data URI. The file is read and not stored. Messages begin
   * with `place`.
   */
  factsOfSource(accountNo: number, source: string, place: string, signal: AbortSignal): Promise<MediaFacts>
  /** Removes all assets of a closed account. */
  eraseAccount(accountNo: number, signal: AbortSignal): Promise<void>
  /**
   * The asset that a link points to. Undefined when the file is removed or the account is closed.
   */
  findLinked(id: string): Promise<StoredAsset | undefined>
  /** Runs the periodic cleanup. */
  sweep(signal: AbortSignal): Promise<void>
}

const arrivingMax = 100
const arrivingPerAccountMax = 40
const [arrivingBytesMax, arrivingBytesPerAccountMax] = [4 * 1024 ** 3, 1024 ** 3]
const fetchLimits = { bytesMax: inputBytesMax, timeoutMs: mediaInputLimits.fetchMs }

export async function openAssets(parts: AssetParts): Promise<Assets> {
  const { query, fetchUntrusted, scratchDir, clock, expiryClock = clock } = parts
  const arriving = await ArrivingFiles.open({
    directory: path.join(scratchDir, 'uploads'),
    bytesMax: mediaInputLimits.bytesMax,
    bytesAtOnceMax: arrivingBytesMax,
    bytesAtOncePerAccountMax: arrivingBytesPerAccountMax,
    atOnceMax: arrivingMax,
    atOncePerAccountMax: arrivingPerAccountMax,
  })
  const keepParts = {
    nextAssetId: createIds('asset_', clock, { returning: { findNextMs: () => null } }),
    ...parts,
  }
  const keep = (request: KeepRequest) => keepAsset(keepParts, request)
  const uploads = createUploads({
    ...parts,
    arriving,
    keep,
    expiryClock,
    ...(parts.uploadLimits && { limits: parts.uploadLimits }),
  })

  return {
    bytesMax: inputBytesMax,
    uploads,
    receive: (accountNo, stream) => arriving.receive(accountNo, () => stream),
    fetch: (accountNo, source, signal) =>
      arriving.receive(accountNo, () => fetchFile(fetchUntrusted, source, { ...fetchLimits, signal })),
    keep,
    find: async (accountNo, id) => (isAssetId(id) ? await findAsset(query, accountNo, id) : undefined),
    list: (accountNo, limit, cursor) => listPage(query, accountNo, limit, cursor),
    delete: async (accountNo, id) => (isAssetId(id) ? await deleteAsset(parts, accountNo, id) : undefined),
    async factsOfAsset(accountNo, id) {
      const asset = isAssetId(id) ? await findAsset(query, accountNo, id) : undefined
      return asset && mediaFactsOf(asset)
    },
    async factsOfSource(accountNo, source, place, signal) {
      const open = () => fetchFile(fetchUntrusted, source, { ...fetchLimits, param: place, signal })
      await using arrived = await arriving.receive(accountNo, open)
      const facts = await parts.inspectFile(accountNo, arrived, place)
      return mediaFactsOf({ ...facts, size_bytes: arrived.sizeBytes })
    },
    async eraseAccount(accountNo, signal) {
      await uploads.eraseAccount(accountNo, signal)
      await eraseAssets(parts, accountNo, signal)
    },
    async findLinked(id) {
      const asset = isAssetId(id) ? await findKept(query, id) : undefined
      return asset?.isOfClosedAccount === true ? undefined : asset
    },
    sweep: (signal) => sweepAssets({ ...parts, clock: expiryClock }, signal),
  }
}

import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { ReceivedFile } from './file-receiver.ts'
import { fileNameOf } from './asset-file-name.ts'
import {
  findIdentical,
  insertAsset,
  hasFile,
  markShared,
  markStored,
  purgeUploading,
  readUsage,
  type AssetQuota,
  type AssetUsage,
  type StoredAsset,
  type NewAsset,
} from './asset-rows.ts'
import type { InspectFile } from './inspect-file.ts'
import { putWithTimeout } from './put-with-timeout.ts'

export interface StoreAssetDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'put' | 'remove'>
  inspectFile: InspectFile
  quota: AssetQuota
  nextAssetId: () => string
  clock: Clock
}

export interface StoreAssetRequest {
  accountNo: number
  file: ReceivedFile
  name: string | null
  /** The request field that contained the file. */
  param: string
}

export interface StoredAssetResult {
  asset: StoredAsset
  /** False: the account already had these bytes. */
  isNew: boolean
  /** Whether the asset is new, and no other request has stored the same bytes since. */
  isDiscardable: boolean
}

/** Fields of the result for an asset that the account already had. */
const shared = { isNew: false, isDiscardable: false }

/** Maximum number of attempts. Only a concurrent deletion requires another attempt. */
const attemptsMax = 5

/**
 * Creates an asset from a received file. The row is inserted before the file is stored, and marked
 * as stored afterwards, so that a crash leaves no file without a row.
 *
 *   find      return the account's existing asset with these bytes
 *   inspect   decode the image, or probe the video or sound, in a child process
 *   insert    add a row in the state uploading, unless the account has no capacity or already has
 *             a row for these bytes; remove the row again if another process has used the capacity
 *             at the same moment
 *   put       store the file; concurrent uploads of the same bytes each store the same file
 *   mark      mark the row as stored, which lists the asset, or as shared if another request has
 *             stored it; start again from `insert` if the row was deleted in the meantime
 */
export async function storeAsset(dependencies: StoreAssetDependencies, request: StoreAssetRequest): Promise<StoredAssetResult> {
  const { database, mediaStore, inspectFile, quota, nextAssetId, clock } = dependencies
  const { accountNo, file, name, param } = request
  const { sizeBytes, sha256 } = file
  const existing = await findIdentical(database, accountNo, sha256)
  const sharedAsset = existing && (await markShared(database, existing.no))
  if (sharedAsset !== undefined) return { asset: sharedAsset, ...shared }

  const facts = await inspectFile(accountNo, file, param)
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const newAsset: NewAsset = {
      id: nextAssetId(),
      account_no: accountNo,
      name,
      size_bytes: sizeBytes,
      sha256,
      ...facts,
      created_at: clock(),
    }
    const insertedAsset = await insertAsset(database, newAsset, quota)
    if (insertedAsset !== undefined) {
      await requireWithinQuota(await readUsage(database, accountNo), quota, sizeBytes, () =>
        purgeUploading(database, insertedAsset.no),
      )
    }
    const asset = insertedAsset ?? (await findIdentical(database, accountNo, sha256))
    if (asset === undefined) {
      requireQuota(await readUsage(database, accountNo), quota, sizeBytes)
      continue
    }
    if (asset.stored_at !== null) {
      const sharedNow = await markShared(database, asset.no)
      if (sharedNow === undefined) continue
      return { asset: sharedNow, ...shared }
    }
    const fileName = fileNameOf(asset)
    await putWithTimeout(mediaStore, fileName, file)
    const isNew = insertedAsset !== undefined
    const storedAsset = await markStored(database, asset.no, clock())
    if (storedAsset !== undefined) return { asset: storedAsset, isNew, isDiscardable: isNew }
    const storedByOther = await markShared(database, asset.no)
    if (storedByOther !== undefined) return { asset: storedByOther, isNew, isDiscardable: false }
    // If a task still needs the file, a sweep removes it later. If a sweep has already removed it,
    // this new copy must be removed here.
    if (!(await hasFile(database, asset.no))) await mediaStore.remove(fileName)
  }
  throw new Error('an asset was deleted during every attempt to store it')
}

/**
 * If the account, with the row of a new file, exceeds the quota, removes this row and throws an
 * `AppError`. Two processes may together exceed the quota, because an insert sees only committed
 * rows. Here, at least the process that commits last sees both rows, and rejects its file.
 */
export async function requireWithinQuota(
  usage: AssetUsage,
  quota: AssetQuota,
  sizeBytes: number,
  removeRow: () => Promise<void>,
): Promise<void> {
  if (usage.assets <= quota.assetsMax && usage.bytes <= quota.bytesMax) return
  await removeRow()
  requireQuota({ assets: usage.assets - 1, bytes: usage.bytes - sizeBytes }, quota, sizeBytes)
}

/**
 * Throws an `AppError` if the file exceeds the quota. Returns if there is capacity now, because
 * assets were deleted in the meantime.
 */
export function requireQuota(usage: AssetUsage, quota: AssetQuota, sizeBytes: number): void {
  const remedy = 'delete some. A deleted file counts as long as an unfinished task needs it.'
  if (usage.assets >= quota.assetsMax) {
    const message = `This account has ${usage.assets} assets, and its limit is ${quota.assetsMax}; ${remedy}`
    throw new AppError('asset_quota_exceeded', message)
  }
  if (usage.bytes + sizeBytes > quota.bytesMax) {
    const message = `The assets of this account have ${usage.bytes} bytes, its limit is ${quota.bytesMax}, and this file has ${sizeBytes}; ${remedy}`
    throw new AppError('asset_quota_exceeded', message)
  }
}

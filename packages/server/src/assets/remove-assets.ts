import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import type { MediaStore } from '../media/media-store.ts'
import { sweepExpiredMedia, type SweepPosition } from '../media/sweep-expired-media.ts'
import { fileNameOf } from './asset-file-name.ts'
import {
  purge,
  listPurgeable,
  listRemovable,
  markAbandoned,
  markAllDeleted,
  markDeleted,
  markDiscarded,
  markRemoved,
  removeNames,
  type RemovableFilter,
  type StoredAsset,
} from './asset-rows.ts'
import type { StoredAssetResult } from './store-asset.ts'

export interface AssetRemovalDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'remove'>
  clock: Clock
}

/**
 * Time after which an asset that is still uploading counts as abandoned. It is many times the
 * duration of any upload.
 */
const uploadMsMax = 60 * 60 * 1000
/**
 * Time from the removal of an asset's file to the deletion of its row. Until then, a repeated
 * deletion gets the same response as the first.
 */
const deletedRowRetentionMs = 24 * 60 * 60 * 1000

/**
 * Hides the asset immediately, and removes its file unless an unfinished task needs it. Returns
 * undefined if the account has no such asset, or if the row of the asset was deleted.
 */
export async function deleteAsset(
  dependencies: AssetRemovalDependencies,
  accountNo: number,
  id: string,
): Promise<StoredAsset | undefined> {
  const deletedAsset = await markDeleted(dependencies.database, accountNo, id, dependencies.clock())
  if (deletedAsset !== undefined && deletedAsset.removed_at === null) await removeFileOf(dependencies, id)
  return deletedAsset
}

/**
 * Deletes an asset that the caller has just created for a request that was rejected, unless another
 * request has stored the same bytes since.
 */
export async function discardAsset(
  dependencies: AssetRemovalDependencies,
  { asset, isDiscardable }: Pick<StoredAssetResult, 'asset' | 'isDiscardable'>,
): Promise<void> {
  if (!isDiscardable || (await markDiscarded(dependencies.database, asset, dependencies.clock())) === undefined) return
  await removeFileOf(dependencies, asset.id)
}

/** Removes the file of a deleted asset. If this fails, the periodic sweep removes it. */
async function removeFileOf(dependencies: AssetRemovalDependencies, id: string): Promise<void> {
  await removeFiles(dependencies, new AbortController().signal, { id }).catch(() => {})
}

/**
 * Removes the files and names of all assets of a closed account. All tasks of the account must have
 * ended.
 */
export async function eraseAssets(dependencies: AssetRemovalDependencies, accountNo: number, signal: AbortSignal): Promise<void> {
  await markAllDeleted(dependencies.database, accountNo, dependencies.clock())
  await removeFiles(dependencies, signal, { accountNo })
  await removeNames(dependencies.database, accountNo)
}

/**
 * Returns a function that removes the files of deleted assets that no unfinished task needs, and of
 * assets that were left behind by crashes and closed accounts. It also deletes the rows of assets
 * whose files were removed a day ago.
 */
export function createAssetSweep(dependencies: AssetRemovalDependencies): (signal: AbortSignal) => Promise<void> {
  const { database, mediaStore, clock } = dependencies
  const removedPosition: SweepPosition = { skipCount: 0 }
  const purgedPosition: SweepPosition = { skipCount: 0 }
  return async (signal) => {
    await markAbandoned(database, clock() - uploadMsMax, clock())
    await removeFiles(dependencies, signal, {}, removedPosition)
    await sweepExpiredMedia({
      list: (limit, skipCount) => listPurgeable(database, limit, clock() - deletedRowRetentionMs, skipCount),
      // Removes the file a second time, because a concurrent upload of the same bytes may have
      // stored it again during the first removal.
      remove: (asset) => mediaStore.remove(fileNameOf(asset)),
      markRemoved: (assets) => purge(database, assets),
      signal,
      position: purgedPosition,
    })
  }
}

/** Removes files and then marks their rows, so that an interrupted removal is repeated. */
async function removeFiles(
  { database, mediaStore, clock }: AssetRemovalDependencies,
  signal: AbortSignal,
  filter: RemovableFilter,
  position: SweepPosition = { skipCount: 0 },
): Promise<void> {
  await sweepExpiredMedia({
    list: (limit, skipCount) => listRemovable(database, limit, filter, skipCount),
    remove: (asset) => mediaStore.remove(fileNameOf(asset)),
    markRemoved: (assets) => markRemoved(database, assets, clock()),
    signal,
    position,
  })
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import { sweepExpiredMedia, type SweepPosition } from '../../media/sweep-expired-media.ts'
import { removePieces } from './upload-pieces.ts'
import {
  endAbandoned,
  eraseUploadRows,
  purgeUpload,
  listPurgeableUploads,
  listRemovableUploads,
  markPiecesRemoved,
  type RemovableFilter,
  type StoredUpload,
} from './upload-rows.ts'

export interface UploadRemovalDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'remove'>
  clock: Clock
}

/**
 * Time between the removal of an upload's pieces and the deletion of its row. A request that was in
 * progress when the upload ended may still store a piece, but ends much sooner than this.
 */
const latePieceMs = 60 * 60 * 1000

/**
 * Removes the pieces of an upload that has ended. Marks the row afterwards, so that an interrupted
 * removal is repeated.
 */
export async function removePiecesOf(
  { database, mediaStore, clock }: UploadRemovalDependencies,
  upload: StoredUpload,
): Promise<void> {
  const [endedUpload] = await listRemovableUploads(database, 1, { no: upload.no }, 0)
  if (endedUpload === undefined) return
  await removePieces(mediaStore, endedUpload)
  await markPiecesRemoved(database, endedUpload.no, clock())
}

/** Ends and hides all uploads of a closed account, erases their names, and removes their pieces. */
export async function eraseUploads(
  dependencies: UploadRemovalDependencies,
  accountNo: number,
  signal: AbortSignal,
): Promise<void> {
  await eraseUploadRows(dependencies.database, accountNo, dependencies.clock())
  await removeEnded(dependencies, signal, { accountNo })
}

/**
 * Returns a function that ends expired uploads, removes the pieces of ended uploads, and later
 * deletes the rows of expired uploads.
 */
export function createUploadSweep(dependencies: UploadRemovalDependencies): (signal: AbortSignal) => Promise<void> {
  const { database, mediaStore, clock } = dependencies
  const endedPosition: SweepPosition = { skipCount: 0 }
  const purgedPosition: SweepPosition = { skipCount: 0 }
  return async (signal) => {
    await endAbandoned(database, clock())
    await removeEnded(dependencies, signal, {}, endedPosition)
    await sweepExpiredMedia({
      list: (limit, skipCount) => listPurgeable(database, limit, clock(), skipCount),
      // Removes the pieces a second time, because a request that was in progress when the upload
      // ended may have stored another one.
      async remove(upload) {
        await removePieces(mediaStore, upload)
        await purgeUpload(database, upload.no)
      },
      markRemoved: async () => {},
      signal,
      position: purgedPosition,
      nounOfItems: 'uploads',
    })
  }
}

async function removeEnded(
  dependencies: UploadRemovalDependencies,
  signal: AbortSignal,
  filter: RemovableFilter,
  position: SweepPosition = { skipCount: 0 },
): Promise<void> {
  await sweepExpiredMedia({
    list: (limit, skipCount) => listRemovableUploads(dependencies.database, limit, filter, skipCount),
    remove: (upload) => removePiecesOf(dependencies, upload),
    markRemoved: async () => {},
    signal,
    position,
    nounOfItems: 'uploads',
  })
}

function listPurgeable(database: Kysely<Tables>, limit: number, nowMs: number, skipCount: number): Promise<StoredUpload[]> {
  return listPurgeableUploads(database, limit, { expiredAtMs: nowMs, removedBeforeMs: nowMs - latePieceMs }, skipCount)
}

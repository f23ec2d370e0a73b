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
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'remove'>
  clock: Clock
}

/**
 * Time after which an ended upload gets no more pieces. A request that was in progress when the
 * upload ended may still store one, but takes much less time than this.
 */
const latePieceMs = 60 * 60 * 1000

/**
 * Removes the pieces of an upload. Marks the row afterwards, so that an interrupted removal is
 * repeated.
 */
export async function removePiecesOf(
  { query, mediaStore, clock }: UploadRemovalDependencies,
  upload: StoredUpload,
): Promise<void> {
  const [endedUpload] = await listRemovableUploads(query, 1, { no: upload.no }, 0)
  if (endedUpload === undefined) return
  await removePieces(mediaStore, endedUpload)
  await markPiecesRemoved(query, endedUpload.no, clock())
}

/** Removes all uploads of a closed account, and their names. */
export async function eraseUploads(
  dependencies: UploadRemovalDependencies,
  accountNo: number,
  signal: AbortSignal,
): Promise<void> {
  await eraseUploadRows(dependencies.query, accountNo, dependencies.clock())
  await removeEnded(dependencies, signal, { accountNo })
}

/**
 * Returns a function that ends expired uploads, removes the pieces of ended uploads, and deletes
 * the rows of uploads that clients can no longer see.
 */
export function createUploadSweep(dependencies: UploadRemovalDependencies): (signal: AbortSignal) => Promise<void> {
  const { query, mediaStore, clock } = dependencies
  const endedPosition: SweepPosition = { skipCount: 0 }
  const purgedPosition: SweepPosition = { skipCount: 0 }
  return async (signal) => {
    await endAbandoned(query, clock())
    await removeEnded(dependencies, signal, {}, endedPosition)
    await sweepExpiredMedia({
      list: (limit, skipCount) => listPurgeable(query, limit, clock(), skipCount),
      // Removes the pieces a second time, because a request that was in progress when the upload
      // ended may have stored another one.
      async remove(upload) {
        await removePieces(mediaStore, upload)
        await purgeUpload(query, upload.no)
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
    list: (limit, skipCount) => listRemovableUploads(dependencies.query, limit, filter, skipCount),
    remove: (upload) => removePiecesOf(dependencies, upload),
    markRemoved: async () => {},
    signal,
    position,
    nounOfItems: 'uploads',
  })
}

function listPurgeable(query: Kysely<Tables>, limit: number, nowMs: number, skipCount: number): Promise<StoredUpload[]> {
  return listPurgeableUploads(query, limit, { expiredAtMs: nowMs, removedBeforeMs: nowMs - latePieceMs }, skipCount)
}

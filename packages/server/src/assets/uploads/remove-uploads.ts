import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import { removePieces } from './upload-pieces.ts'
import {
  endAbandoned,
  eraseUploadRows,
  purgeUpload,
  listPurgeableUploads,
  listRemovableUploads,
  markPiecesRemoved,
  type StoredUpload,
} from './upload-rows.ts'

export interface RemovalDependencies {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'remove'>
  clock: Clock
}

const uploadsPerBatch = 100
const batchesMax = 1000
/**
 * Time after which an ended upload gets no more pieces. A request that was in progress when the
 * upload ended may still store one, but takes much less time than this.
 */
const latePieceMs = 60 * 60 * 1000

/**
 * Removes the pieces of an upload. Marks the row afterwards, so that an interrupted removal is
 * repeated.
 */
export async function removePiecesOf({ query, mediaStore, clock }: RemovalDependencies, upload: StoredUpload): Promise<void> {
  const [endedUpload] = await listRemovableUploads(query, 1, upload.no)
  if (endedUpload === undefined) return
  await removePieces(mediaStore, endedUpload)
  await markPiecesRemoved(query, endedUpload.no, clock())
}

/** Removes all uploads of a closed account, and their names. */
export async function eraseUploads(dependencies: RemovalDependencies, accountNo: number, signal: AbortSignal): Promise<void> {
  await eraseUploadRows(dependencies.query, accountNo, dependencies.clock())
  await removeEnded(dependencies, signal)
}

/**
 * Ends expired uploads, removes the pieces of ended uploads, and deletes the rows of uploads that
 * clients can no longer see.
 */
export async function sweepUploads(dependencies: RemovalDependencies, signal: AbortSignal): Promise<void> {
  const { query, mediaStore, clock } = dependencies
  await endAbandoned(query, clock())
  await removeEnded(dependencies, signal)
  await forEachUpload(
    signal,
    (limit) => listPurgeable(query, limit, clock()),
    async (upload) => {
      // Removes the pieces a second time, because a request that was in progress when the upload
      // ended may have stored another one.
      await removePieces(mediaStore, upload)
      await purgeUpload(query, upload.no)
    },
  )
}

async function removeEnded(dependencies: RemovalDependencies, signal: AbortSignal): Promise<void> {
  await forEachUpload(
    signal,
    (limit) => listRemovableUploads(dependencies.query, limit),
    (upload) => removePiecesOf(dependencies, upload),
  )
}

function listPurgeable(query: Kysely<Tables>, limit: number, nowMs: number): Promise<StoredUpload[]> {
  return listPurgeableUploads(query, limit, { expiredAtMs: nowMs, removedBeforeMs: nowMs - latePieceMs })
}

/**
 * Processes uploads in batches. An error of one upload does not affect the others of its batch.
 * After a batch with errors, throws an `AggregateError`.
 */
async function forEachUpload(
  signal: AbortSignal,
  list: (limit: number) => Promise<StoredUpload[]>,
  work: (upload: StoredUpload) => Promise<void>,
): Promise<void> {
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch++) {
    const uploads = await list(uploadsPerBatch)
    const errors: unknown[] = []
    for (const upload of uploads) {
      if (signal.aborted) return
      await work(upload).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw new AggregateError(errors, `the pieces of ${errors.length} uploads cannot be removed`)
    if (uploads.length < uploadsPerBatch) return
  }
}

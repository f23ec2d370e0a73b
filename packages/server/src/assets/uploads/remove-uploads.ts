import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import { removePieces } from './upload-pieces.ts'
import {
  endAbandoned,
  eraseUploadRows,
  forgetUpload,
  listForgettableUploads,
  listRemovableUploads,
  markPiecesRemoved,
  type StoredUpload,
} from './upload-rows.ts'

export interface RemovalParts {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'remove'>
  clock: Clock
}

const uploadsAtOnce = 100
const batchesMax = 1000
/** Many times the duration of a request, which may store a piece of an upload that ends meanwhile. */
const latePiecesMs = 60 * 60 * 1000

/** Removes the pieces before marking the row, so an interrupted removal is repeated. */
export async function removePiecesOf({ query, mediaStore, clock }: RemovalParts, upload: StoredUpload): Promise<void> {
  const [ended] = await listRemovableUploads(query, 1, upload.no)
  if (ended === undefined) return
  await removePieces(mediaStore, ended)
  await markPiecesRemoved(query, ended.no, clock())
}

/** Removes all uploads of a closed account, and their names. */
export async function eraseUploads(parts: RemovalParts, accountNo: number, signal: AbortSignal): Promise<void> {
  await eraseUploadRows(parts.query, accountNo, parts.clock())
  await removeEnded(parts, signal)
}

/** Ends expired uploads, removes the pieces of ended ones, and forgets those that no client sees any more. */
export async function sweepUploads(parts: RemovalParts, signal: AbortSignal): Promise<void> {
  const { query, mediaStore, clock } = parts
  await endAbandoned(query, clock())
  await removeEnded(parts, signal)
  await forEach(
    signal,
    (limit) => listForgettable(query, limit, clock()),
    async (upload) => {
      // Again: a request that was under way when the upload ended may have stored a piece since.
      await removePieces(mediaStore, upload)
      await forgetUpload(query, upload.no)
    },
  )
}

async function removeEnded(parts: RemovalParts, signal: AbortSignal): Promise<void> {
  await forEach(
    signal,
    (limit) => listRemovableUploads(parts.query, limit),
    (upload) => removePiecesOf(parts, upload),
  )
}

function listForgettable(query: Kysely<Tables>, limit: number, nowMs: number): Promise<StoredUpload[]> {
  return listForgettableUploads(query, limit, { expiredAtMs: nowMs, removedBeforeMs: nowMs - latePiecesMs })
}

/** Works through batches until the list is short, or a whole batch has failed. An error does not stop the others. */
async function forEach(
  signal: AbortSignal,
  list: (limit: number) => Promise<StoredUpload[]>,
  work: (upload: StoredUpload) => Promise<void>,
): Promise<void> {
  for (let batches = 0; batches < batchesMax && !signal.aborted; batches++) {
    const uploads = await list(uploadsAtOnce)
    const errors: unknown[] = []
    for (const upload of uploads) {
      if (signal.aborted) return
      await work(upload).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw new AggregateError(errors, `the pieces of ${errors.length} uploads cannot be removed`)
    if (uploads.length < uploadsAtOnce) return
  }
}

import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { MediaStoreError, type MediaStore } from '../../media/media-store.ts'
import type { ArrivedFile, ArrivingFiles } from '../arriving-files.ts'
import type { KeepRequest, KeptAsset } from '../keep-asset.ts'
import { encodeRefusal } from './upload-refusal.ts'
import type { UploadLimits } from './upload-limits.ts'
import { readPieces } from './upload-pieces.ts'
import { removePiecesOf } from './remove-uploads.ts'
import { endUpload, type StoredUpload, type UploadEnd } from './upload-rows.ts'

export interface FinishParts {
  query: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'open' | 'remove'>
  arriving: ArrivingFiles
  keep: (request: KeepRequest) => Promise<KeptAsset>
  limits: Pick<UploadLimits, 'keptMs'>
  clock: Clock
}

/**
 * Makes the asset of an upload whose bytes have all arrived, or records the error with which the
 * file is refused. Returns any other upload unchanged. A repetition after a crash, or in two
 * processes at once, results in the same asset, because identical files of an account are one
 * asset.
 */
export type FinishUpload = (upload: StoredUpload) => Promise<StoredUpload>

export function createFinishUpload(parts: FinishParts): FinishUpload {
  const underWay = new Map<number, Promise<StoredUpload>>()

  return async function finishUpload(upload) {
    if (upload.ended_at !== null || upload.received_bytes < upload.size_bytes) return upload
    const { no } = upload
    const finishing = underWay.get(no) ?? finish(parts, upload).finally(() => underWay.delete(no))
    underWay.set(no, finishing)
    return await finishing
  }
}

async function finish(parts: FinishParts, upload: StoredUpload): Promise<StoredUpload> {
  return await endWith(parts, upload, await makeAsset(parts, upload))
}

async function makeAsset({ mediaStore, arriving, keep }: FinishParts, upload: StoredUpload): Promise<UploadEnd> {
  const { account_no: accountNo, name } = upload
  try {
    await using file = await arriving.receive(accountNo, () =>
      Readable.from(readPieces(mediaStore, upload), { objectMode: false }),
    )
    requireAnnouncedHash(upload, file)
    const { asset } = await keep({ accountNo, file, name, param: 'file' })
    return { asset_id: asset.id }
  } catch (cause) {
    if (cause instanceof MediaStoreError && cause.code === 'damaged') return { error: encodeRefusal(piecesLost(cause)) }
    if (!(cause instanceof AppError) || cause.status >= 500) throw cause
    return { error: encodeRefusal(cause) }
  }
}

/**
 * Ends the upload and removes its pieces. The periodic cleanup removes pieces that cannot be
 * removed now.
 */
export async function endWith(
  { query, mediaStore, limits, clock }: Pick<FinishParts, 'query' | 'mediaStore' | 'limits' | 'clock'>,
  upload: StoredUpload,
  end: UploadEnd,
): Promise<StoredUpload> {
  const ended = await endUpload(query, upload.no, end, clock(), clock() + limits.keptMs)
  await removePiecesOf({ query, mediaStore, clock }, upload).catch(() => {})
  return ended ?? upload
}

function requireAnnouncedHash({ sha256 }: StoredUpload, file: ArrivedFile): void {
  if (sha256 === null || sha256 === file.sha256) return
  const message = `The received file has the SHA-256 ${file.sha256}, and Upload-Metadata announced ${sha256}; upload the file again.`
  throw new AppError('invalid_parameter', message, { param: 'Upload-Metadata' })
}

function piecesLost(cause: unknown): AppError {
  return new AppError('conflict', 'Bytes of this upload are no longer stored; upload the file again.', { cause })
}

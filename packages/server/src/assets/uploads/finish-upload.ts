import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { MediaStoreError, type MediaStore } from '../../media/media-store.ts'
import type { ReceivedFile, FileReceiver } from '../file-receiver.ts'
import type { StoreAssetRequest, StoredAssetResult } from '../store-asset.ts'
import { encodeRefusal } from './upload-refusal.ts'
import type { UploadLimits } from './upload-limits.ts'
import { readPieces } from './upload-pieces.ts'
import { removePiecesOf } from './remove-uploads.ts'
import { endUpload, type StoredUpload, type UploadEnd } from './upload-rows.ts'

export interface FinishDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'open' | 'remove'>
  receiver: FileReceiver
  store: (request: StoreAssetRequest) => Promise<StoredAssetResult>
  limits: Pick<UploadLimits, 'retentionMs'>
  clock: Clock
}

/**
 * Creates the asset of an upload whose bytes have all arrived, or records the error if the file is
 * rejected. Returns any other upload unchanged. If this is repeated after a crash, or runs in two
 * processes at the same time, the result is the same asset, because identical files of an account
 * are one asset.
 */
export type FinishUpload = (upload: StoredUpload) => Promise<StoredUpload>

export function createFinishUpload(dependencies: FinishDependencies): FinishUpload {
  const inProgress = new Map<number, Promise<StoredUpload>>()

  return async function finishUpload(upload) {
    if (upload.ended_at !== null || upload.received_bytes < upload.size_bytes) return upload
    const { no } = upload
    const finishing = inProgress.get(no) ?? finish(dependencies, upload).finally(() => inProgress.delete(no))
    inProgress.set(no, finishing)
    return await finishing
  }
}

async function finish(dependencies: FinishDependencies, upload: StoredUpload): Promise<StoredUpload> {
  return await endAndClean(dependencies, upload, await createAsset(dependencies, upload))
}

async function createAsset(
  { mediaStore, receiver, store }: Pick<FinishDependencies, 'mediaStore' | 'receiver' | 'store'>,
  upload: StoredUpload,
): Promise<UploadEnd> {
  const { account_no: accountNo, name } = upload
  try {
    await using file = await receiver.receive(accountNo, () =>
      Readable.from(readPieces(mediaStore, upload), { objectMode: false }),
    )
    requireDeclaredHash(upload, file)
    const { asset } = await store({ accountNo, file, name, param: 'file' })
    return { asset_id: asset.id }
  } catch (cause) {
    if (cause instanceof MediaStoreError && cause.code === 'damaged') return { error: encodeRefusal(missingPieces(cause)) }
    if (!(cause instanceof AppError) || cause.status >= 500) throw cause
    return { error: encodeRefusal(cause) }
  }
}

/** Ends the upload and removes its pieces. If the removal fails, the periodic sweep repeats it. */
export async function endAndClean(
  { database, mediaStore, limits, clock }: Pick<FinishDependencies, 'database' | 'mediaStore' | 'limits' | 'clock'>,
  upload: StoredUpload,
  end: UploadEnd,
): Promise<StoredUpload> {
  const endedUpload = await endUpload(database, upload.no, end, clock(), clock() + limits.retentionMs)
  await removePiecesOf({ database, mediaStore, clock }, upload).catch(() => {})
  return endedUpload ?? upload
}

function requireDeclaredHash({ sha256 }: StoredUpload, file: ReceivedFile): void {
  if (sha256 === null || sha256 === file.sha256) return
  const message = `The received file has the SHA-256 ${file.sha256}, and Upload-Metadata announced ${sha256}; upload the file again.`
  throw new AppError('invalid_parameter', message, { param: 'Upload-Metadata' })
}

function missingPieces(cause: unknown): AppError {
  return new AppError('conflict', 'Some bytes of this upload were lost; upload the file again.', { cause })
}

import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { ReceivedFile, FileReceiver } from '../file-receiver.ts'
import { putWithTimeout } from '../put-with-timeout.ts'
import { IncomingBody } from './incoming-body.ts'
import type { UploadLimits } from './upload-limits.ts'
import { pieceKey } from './upload-pieces.ts'
import { addPiece, findUpload, readUnfinished, reservePieceNumber, type StoredUpload } from './upload-rows.ts'

export interface ReceiveDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'put' | 'remove'>
  receiver: FileReceiver
  limits: UploadLimits
  clock: Clock
  /**
   * Called with the first piece. Throws an `AppError` if these bytes cannot be the start of an
   * accepted file.
   */
  inspectStart: (file: ReceivedFile) => Promise<void>
}

/** The part of a file that one request sends. */
export interface BodyRange {
  /** Position of the first byte in the file. */
  offset: number
  /** Number of bytes. Null: the request does not announce it. */
  sizeBytes: number | null
  chunks: AsyncIterator<Buffer>
}

/**
 * Stores the bytes of one request, piece by piece, and returns the upload with its new offset. A
 * crash loses only the piece in progress. A lost connection loses no received bytes.
 *
 *   receive   write the piece to a scratch file, so that a slow client cannot block the media store
 *   reserve   assign a number to the piece; the row stores the highest number before the object
 *             exists, so that a later removal finds the object
 *   put       store the piece under its number
 *   add       move the offset, unless another request has moved it
 */
export async function receivePieces(
  dependencies: ReceiveDependencies,
  upload: StoredUpload,
  range: BodyRange,
): Promise<StoredUpload> {
  const { receiver, limits, inspectStart } = dependencies
  requireOffset(upload, range)
  const body = new IncomingBody(range.chunks)
  let currentUpload = upload
  while (await body.hasMore()) {
    const offset = currentUpload.received_bytes
    await requireCapacity(dependencies, currentUpload)
    const bytesMax = Math.min(limits.pieceBytesMax, upload.size_bytes - offset)
    const open = () => Readable.from(body.readPiece(bytesMax), { objectMode: false })
    await using file = await receiver.receive(upload.account_no, open)
    const isLast = offset + file.sizeBytes === upload.size_bytes
    if (isLast && (await body.hasMore())) throw tooLong(upload)
    if (offset === 0) await inspectStart(file)
    currentUpload = await storePiece(dependencies, currentUpload, file)
  }
  body.requireComplete()
  return currentUpload
}

async function storePiece(dependencies: ReceiveDependencies, upload: StoredUpload, file: ReceivedFile): Promise<StoredUpload> {
  const { database, mediaStore, limits, clock } = dependencies
  const { no, id, received_bytes: offset } = upload
  const { sizeBytes } = file
  const number = await reservePieceNumber(database, no, offset)
  if (number === undefined) throw await conflictError(dependencies, upload)
  const key = pieceKey(id, number)
  await putWithTimeout(mediaStore, key, file)
  const updatedUpload = await addPiece(database, no, { number, sizeBytes }, offset, clock() + limits.retentionMs)
  if (updatedUpload !== undefined) return updatedUpload
  await mediaStore.remove(key)
  throw await conflictError(dependencies, upload)
}

function requireOffset(upload: StoredUpload, { offset, sizeBytes }: BodyRange): void {
  if (offset !== upload.received_bytes) throw wrongOffset(upload)
  if (sizeBytes !== null && offset + sizeBytes > upload.size_bytes) throw tooLong(upload)
}

async function requireCapacity(
  { database, limits }: Pick<ReceiveDependencies, 'database' | 'limits'>,
  { last_piece }: StoredUpload,
): Promise<void> {
  if (last_piece >= limits.piecesMax) {
    const message = `The bytes of this upload arrived in more than ${limits.piecesMax} parts; start a new upload and send larger parts.`
    throw new AppError('invalid_request', message)
  }
  const { received } = await readUnfinished(database)
  if (received < limits.receivedBytesMax) return
  throw new AppError('overloaded', 'The unfinished uploads of all accounts fill the space reserved for them; try again later.')
}

/** Returns the error for an upload that another request has changed in the meantime. */
async function conflictError(
  { database, clock }: Pick<ReceiveDependencies, 'database' | 'clock'>,
  { account_no, id }: StoredUpload,
): Promise<AppError> {
  const currentUpload = await findUpload(database, account_no, id, clock())
  return currentUpload === undefined ? uploadNotFound() : wrongOffset(currentUpload)
}

function wrongOffset({ received_bytes }: StoredUpload): AppError {
  const message = `Upload-Offset must be ${received_bytes}, because this upload has received that many bytes. Another request may have sent some of them.`
  return new AppError('conflict', message, { param: 'Upload-Offset', headers: { 'upload-offset': String(received_bytes) } })
}

function tooLong({ size_bytes }: StoredUpload): AppError {
  const message = `The body is longer than the rest of this upload, which has ${size_bytes} bytes in all.`
  return new AppError('body_too_large', message)
}

export function uploadNotFound(): AppError {
  return new AppError(
    'upload_not_found',
    'This account has no upload with this id. An upload expires 24 hours after it last received bytes.',
  )
}

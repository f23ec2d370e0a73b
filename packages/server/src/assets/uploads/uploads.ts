import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createIds } from '../../identity/task-id.ts'
import { isUploadId } from '../../identity/upload-id.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { signatureBytes } from '../../lib/image-type.ts'
import { inputBytesMax, mediaInputLimits } from '../../media/media-input-limits.ts'
import type { MediaStore } from '../../media/media-store.ts'
import { fileTooLarge, type ReceivedFile, type FileReceiver } from '../file-receiver.ts'
import { readUsage, type AssetQuota } from '../asset-rows.ts'
import { requireKind, readStart } from '../inspect-file.ts'
import { requireQuota, requireWithinQuota, type StoreAssetRequest, type StoredAssetResult } from '../store-asset.ts'
import { createFinishUpload, endAndClean } from './finish-upload.ts'
import { receivePieces, uploadNotFound, type BodyRange } from './receive-pieces.ts'
import { createUploadSweep, eraseUploads, removePiecesOf } from './remove-uploads.ts'
import { defaultUploadLimits, type UploadLimits } from './upload-limits.ts'
import { encodeRefusal, requireAccepted } from './upload-refusal.ts'
import {
  findUpload,
  insertUpload,
  listUnfinished,
  markUploadDeleted,
  purgeUpload,
  readUnfinished,
  type StoredUpload,
} from './upload-rows.ts'

export interface UploadsDependencies {
  database: Kysely<Tables>
  mediaStore: Pick<MediaStore, 'put' | 'open' | 'remove'>
  receiver: FileReceiver
  store: (request: StoreAssetRequest) => Promise<StoredAssetResult>
  quota: AssetQuota
  limits?: Partial<UploadLimits>
  clock: Clock
  /** Clock of the periodic sweep. */
  expiryClock: Clock
  nextUploadId?: () => string
}

/** The properties that a client declares before it sends the first byte of a file. */
export type DeclaredFile = Pick<StoredUpload, 'size_bytes' | 'metadata' | 'name' | 'sha256'>

/**
 * Resumable uploads. Different processes may serve the requests of an upload, because no process
 * keeps state between two requests. Methods throw an `AppError` for problems that a client can fix.
 */
export interface Uploads {
  /** Maximum size of a file of any kind, which is the limit for videos. */
  readonly bytesMax: number
  create(accountNo: number, file: DeclaredFile): Promise<StoredUpload>
  /**
   * Returns an upload. If all of its bytes have arrived, first creates its asset. Throws if the
   * account has no upload with this id.
   */
  find(accountNo: number, id: string): Promise<StoredUpload>
  /**
   * Lists the account's unfinished uploads, newest first. There are at most
   * `unfinishedPerAccountMax`.
   */
  listUnfinished(accountNo: number): Promise<StoredUpload[]>
  /**
   * Stores the bytes of a request. After the last byte, creates the asset, or throws an `AppError`
   * if the file is rejected.
   */
  receive(accountNo: number, id: string, range: BodyRange): Promise<StoredUpload>
  delete(accountNo: number, id: string): Promise<void>
  eraseAccount(accountNo: number, signal: AbortSignal): Promise<void>
  sweep(signal: AbortSignal): Promise<void>
}

export function createUploads(dependencies: UploadsDependencies): Uploads {
  const { database, mediaStore, quota, clock, expiryClock } = dependencies
  const limits = { ...defaultUploadLimits, ...dependencies.limits }
  const { nextUploadId = createIds('upload_', clock, { clockRecovery: { findNextMs: () => null } }) } = dependencies
  const finishUpload = createFinishUpload({ ...dependencies, limits })

  async function find(accountNo: number, id: string): Promise<StoredUpload> {
    const upload = isUploadId(id) ? await findUpload(database, accountNo, id, clock()) : undefined
    if (upload === undefined) throw uploadNotFound()
    return upload
  }

  /** Ends an upload after its first piece if the piece shows that the file will be rejected. */
  async function inspectStart(upload: StoredUpload, file: ReceivedFile): Promise<void> {
    if (file.sizeBytes < signatureBytes) return
    try {
      const kind = requireKind(await readStart(file.path), 'file')
      const bytesMax = mediaInputLimits.bytesMax[kind]
      if (upload.size_bytes > bytesMax) throw fileTooLarge(kind, bytesMax)
    } catch (cause) {
      if (cause instanceof AppError) await endAndClean({ ...dependencies, limits }, upload, { error: encodeRefusal(cause) })
      throw cause
    }
  }

  return {
    bytesMax: inputBytesMax,

    async create(accountNo, file) {
      const nowMs = clock()
      const newUpload = {
        ...file,
        id: nextUploadId(),
        account_no: accountNo,
        created_at: nowMs,
        expires_at: nowMs + limits.retentionMs,
      }
      const createdUpload = await insertUpload(database, newUpload, quota, limits)
      const unfinishedUploads = await readUnfinished(database, accountNo)
      const usage = await readUsage(database, accountNo)
      const total = { assets: usage.assets + unfinishedUploads.uploads, bytes: usage.bytes + unfinishedUploads.bytes }
      if (createdUpload !== undefined) {
        await requireWithinQuota(total, quota, file.size_bytes, () => purgeUpload(database, createdUpload.no))
        return createdUpload
      }
      if (unfinishedUploads.uploads >= limits.unfinishedPerAccountMax) throw tooManyUnfinished(limits.unfinishedPerAccountMax)
      requireQuota(total, quota, file.size_bytes)
      throw new AppError('overloaded', 'All accounts together have too many unfinished uploads; try again later.')
    },

    find: async (accountNo, id) => finishUpload(await find(accountNo, id)),
    listUnfinished: (accountNo) => listUnfinished(database, accountNo, limits.unfinishedPerAccountMax, clock()),

    async receive(accountNo, id, range) {
      const upload = await find(accountNo, id)
      requireAccepted(upload)
      const receiveDependencies = { ...dependencies, limits, inspectStart: (file: ReceivedFile) => inspectStart(upload, file) }
      const updatedUpload = await finishUpload(await receivePieces(receiveDependencies, upload, range))
      requireAccepted(updatedUpload)
      return updatedUpload
    },

    async delete(accountNo, id) {
      const deletedUpload = isUploadId(id) ? await markUploadDeleted(database, accountNo, id, clock()) : undefined
      if (deletedUpload === undefined) throw uploadNotFound()
      // If this fails, the periodic sweep removes the pieces.
      await removePiecesOf({ database, mediaStore, clock }, deletedUpload).catch(() => {})
    },

    eraseAccount: (accountNo, signal) => eraseUploads({ database, mediaStore, clock }, accountNo, signal),
    sweep: createUploadSweep({ database, mediaStore, clock: expiryClock }),
  }
}

function tooManyUnfinished(count: number): AppError {
  const message = `This account has reached the limit of ${count} unfinished uploads; finish or delete some.`
  return new AppError('asset_quota_exceeded', message)
}

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { PutOptions, StoredMedia } from '../media-store.ts'
import type { Bucket } from './bucket.ts'
import { partsOf } from './parts-of-stream.ts'

export interface S3UploadDependencies {
  bucket: Bucket
  /** Size of a part in bytes. S3 requires at least 5 MiB for all parts but the last. */
  partBytes: number
  semaphore: Semaphore
}

/**
 * Uploads a stream of unknown length to an object, which becomes visible when it is complete.
 *
 *   fits into one part   one PUT
 *   is larger            begin, one part after the other, complete; any error before `complete`
 *                        aborts the upload, and the bucket removes its parts
 *
 * If the process is killed, or the abort fails, `removeLeftovers` removes the parts later.
 */
export async function upload(
  key: string,
  stream: Readable,
  options: PutOptions,
  dependencies: S3UploadDependencies,
): Promise<StoredMedia> {
  const { bucket, partBytes, semaphore } = dependencies
  const { signal } = options
  const fileHash = createHash('sha256')
  const etags: string[] = []
  let uploadId: string | undefined
  let sizeBytes = 0
  try {
    for await (const part of partsOf(stream, { ...options, partBytes, semaphore, fileHash })) {
      sizeBytes += part.bytes.byteLength
      if (part.isLast && uploadId === undefined) await bucket.put(key, part, signal)
      else if (part.bytes.byteLength > 0) {
        uploadId ??= await bucket.beginUpload(key, signal)
        etags.push(await bucket.putPart(key, uploadId, etags.length + 1, part, signal))
      }
    }
    if (uploadId !== undefined) await bucket.completeUpload(key, uploadId, etags, signal)
    return { sizeBytes, sha256: fileHash.digest('hex') }
  } catch (cause) {
    if (uploadId !== undefined) await bucket.abortUpload(key, uploadId).catch(() => {})
    throw cause
  }
}

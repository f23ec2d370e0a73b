import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { Semaphore } from '../../lib/semaphore.ts'
import type { MediaStore, PutOptions, StoredMedia } from '../media-store.ts'
import { openBucket } from './bucket.ts'
import { checkBucket, checkWrite } from './check-bucket.ts'
import { createDirectUrls } from './direct-url.ts'
import { bucketKeyOf, isBucketKey } from './bucket-key.ts'
import { readObject } from './read-object.ts'
import type { S3Settings } from './s3-settings.ts'
import { upload } from './upload.ts'

const partBytes = 8 * 1024 * 1024
/** Maximum number of parts in memory, for all uploads together. These parts take 64 MiB. */
const partsInMemoryMax = 8

/**
 * Opens a media store in a bucket, which any number of processes may share. Throws a `StartupError`
 * if the settings do not work.
 */
export async function openS3MediaStore(settings: S3Settings): Promise<MediaStore & Disposable> {
  const bucket = openBucket(settings)
  try {
    await checkBucket(bucket)
  } catch (cause) {
    bucket[Symbol.dispose]()
    throw cause
  }
  const { prefix } = settings
  const uploadDependencies = { bucket, partBytes, semaphore: new Semaphore(partsInMemoryMax) }

  async function put(objectKey: string, stream: Readable, options: PutOptions): Promise<StoredMedia> {
    // The source may fail after the store has stopped reading it. This error must not end the
    // process.
    stream.on('error', () => {})
    try {
      return await upload(bucketKeyOf(objectKey, prefix), stream, options, uploadDependencies)
    } catch (cause) {
      stream.destroy()
      throw cause
    }
  }

  return {
    put,
    putFile: async (objectKey, file, options) => put(objectKey, createReadStream(file), options),

    open: async (objectKey, range) => readObject(bucket, bucketKeyOf(objectKey, prefix), range),
    stat: async (objectKey) => bucket.stat(bucketKeyOf(objectKey, prefix)),
    remove: async (objectKey) => bucket.remove(bucketKeyOf(objectKey, prefix)),
    ...(settings.delivery === 'redirect' && { directUrl: createDirectUrls(bucket) }),

    checkWrite: () => checkWrite(bucket),

    async removeLeftovers(startedBeforeMs, signal) {
      let removedCount = 0
      for await (const { key, uploadId, beganAtMs } of bucket.listUnfinishedUploads(signal)) {
        if (beganAtMs >= startedBeforeMs || !isBucketKey(key, prefix)) continue
        await bucket.abortUpload(key, uploadId)
        removedCount += 1
      }
      return removedCount
    },

    [Symbol.dispose]() {
      bucket[Symbol.dispose]()
    },
  }
}

import { createReadStream } from 'node:fs'
import { MediaStoreError, type MediaStore } from '../media/media-store.ts'
import type { ReceivedFile } from './file-receiver.ts'

const putMsMax = 120_000

/** Stores a received file. Throws a `MediaStoreError` if the store takes too long. */
export async function putWithTimeout(
  mediaStore: Pick<MediaStore, 'put'>,
  objectKey: string,
  { path, sizeBytes }: Pick<ReceivedFile, 'path' | 'sizeBytes'>,
): Promise<void> {
  try {
    const signal = AbortSignal.timeout(putMsMax)
    await mediaStore.put(objectKey, createReadStream(path), { bytesMax: sizeBytes, signal })
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
    throw isTimeout ? new MediaStoreError('unavailable', 'the media store did not store a file in time', { cause }) : cause
  }
}

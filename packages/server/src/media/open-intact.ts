import { AppError } from '../lib/app-error.ts'
import type { MediaStore, OpenedMedia } from './media-store.ts'

/**
 * Opens a stored file. Returns undefined if it is missing. Throws an `internal_error` if its size
 * has changed since it was stored.
 */
export async function openIntact(
  mediaStore: Pick<MediaStore, 'open'>,
  { objectKey, sizeBytes }: { objectKey: string; sizeBytes: number },
): Promise<OpenedMedia | undefined> {
  const media = await mediaStore.open(objectKey)
  if (media === undefined || media.sizeBytes === sizeBytes) return media
  media.stream.destroy()
  throw fileDamaged(objectKey, { recordedBytes: sizeBytes, sizeBytes: media.sizeBytes })
}

/** The cause, which is only logged, names the file. */
export function fileDamaged(
  objectKey: string,
  { recordedBytes, sizeBytes }: { recordedBytes: number; sizeBytes: number },
): AppError {
  const cause = new Error(`the stored file ${objectKey} has ${sizeBytes} bytes instead of ${recordedBytes}`)
  return new AppError('internal_error', 'The stored file is damaged; the operator of this service can restore it.', { cause })
}

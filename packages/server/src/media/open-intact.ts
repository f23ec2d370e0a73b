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
  throw fileDamaged()
}

export function fileDamaged(): AppError {
  return new AppError('internal_error', 'The stored file is damaged; the operator of this service can restore it.')
}

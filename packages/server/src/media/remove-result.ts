import type { MediaStore } from './media-store.ts'
import { previewKeysOf } from './result-file-name.ts'

/**
 * Removes the file of a result with its previews, whether or not they are recorded: a process may
 * have been killed between the two. The result goes last, so that an interrupted removal is repeated.
 */
export async function removeResult(store: Pick<MediaStore, 'remove'>, objectKey: string): Promise<void> {
  await Promise.all(previewKeysOf(objectKey).map((preview) => store.remove(preview)))
  await store.remove(objectKey)
}

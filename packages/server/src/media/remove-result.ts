import type { MediaStore } from './media-store.ts'
import { previewKeysOf } from './result-file-name.ts'

/**
 * Removes the file of a result with its previews. Also removes previews that are not recorded,
 * because a process may have been killed before it recorded them. The file of the result is removed
 * last, so that an interrupted removal is repeated.
 */
export async function removeResult(store: Pick<MediaStore, 'remove'>, objectKey: string): Promise<void> {
  await Promise.all(previewKeysOf(objectKey).map((preview) => store.remove(preview)))
  await store.remove(objectKey)
}

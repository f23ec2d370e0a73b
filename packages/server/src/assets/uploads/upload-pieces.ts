import { MediaStoreError, type MediaStore } from '../../media/media-store.ts'
import type { Piece, StoredUpload } from './upload-rows.ts'

/**
 * Returns the object key of a piece. It begins with the id of the upload; keys of results begin
 * with `task_`, and keys of assets with `asset_`.
 */
export function pieceKey(uploadId: string, number: number): string {
  return `${uploadId}-${number}.part`
}

/** Returns the stored pieces of an upload, in the order of their bytes. */
export function piecesOf({ pieces }: Pick<StoredUpload, 'pieces'>): Piece[] {
  return pieces
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => {
      const [number = Number.NaN, sizeBytes = Number.NaN] = text.split(':').map(Number)
      return { number, sizeBytes }
    })
}

/**
 * Yields all bytes of an upload. Throws a `MediaStoreError` with the code `damaged` if a piece
 * is missing or has another size.
 */
export async function* readPieces(mediaStore: Pick<MediaStore, 'open'>, upload: StoredUpload): AsyncGenerator<Buffer> {
  for (const { number, sizeBytes } of piecesOf(upload)) {
    const key = pieceKey(upload.id, number)
    const file = await mediaStore.open(key)
    if (file?.sizeBytes !== sizeBytes) {
      file?.stream.destroy()
      throw new MediaStoreError('damaged', `${key} has ${file?.sizeBytes ?? 'no'} bytes instead of ${sizeBytes}`)
    }
    yield* file.stream as AsyncIterable<Buffer>
  }
}

/**
 * Removes every object that may have been stored for an upload, even if the upload does not list it
 * as a piece.
 */
export async function removePieces(mediaStore: Pick<MediaStore, 'remove'>, { id, last_piece }: StoredUpload): Promise<void> {
  for (let number = 1; number <= last_piece; number++) await mediaStore.remove(pieceKey(id, number))
}

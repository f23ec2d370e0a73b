import { MediaStoreError, type MediaStore } from '../../media/media-store.ts'
import type { Piece, StoredUpload } from './upload-rows.ts'

/** Object key of a piece. Names of results begin with `task_`, those of assets with `asset_`. */
export function pieceKey(uploadId: string, number: number): string {
  return `${uploadId}-${number}.part`
}

/** The stored pieces, in their order. */
export function piecesOf({ pieces }: Pick<StoredUpload, 'pieces'>): Piece[] {
  return pieces
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => {
      const [number = Number.NaN, sizeBytes = Number.NaN] = text.split(':').map(Number)
      return { number, sizeBytes }
    })
}

/** The bytes of a whole upload. Throws a `damaged` MediaStoreError if a piece is not as it was stored. */
export async function* readPieces(mediaStore: Pick<MediaStore, 'open'>, upload: StoredUpload): AsyncGenerator<Buffer> {
  for (const { number, sizeBytes } of piecesOf(upload)) {
    const key = pieceKey(upload.id, number)
    const opened = await mediaStore.open(key)
    if (opened?.sizeBytes !== sizeBytes) {
      opened?.stream.destroy()
      throw new MediaStoreError('damaged', `${key} has ${opened?.sizeBytes ?? 'no'} bytes instead of ${sizeBytes}`)
    }
    yield* opened.stream as AsyncIterable<Buffer>
  }
}

/** Removes everything that may have been stored for an upload, listed as its piece or not. */
export async function removePieces(mediaStore: Pick<MediaStore, 'remove'>, { id, last_piece }: StoredUpload): Promise<void> {
  for (let number = 1; number <= last_piece; number++) await mediaStore.remove(pieceKey(id, number))
}

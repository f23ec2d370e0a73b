/** Limits of resumable uploads. */
export interface UploadLimits {
  /**
   * A request with more bytes is stored in pieces of this size. A crash loses at most one piece.
   */
  pieceBytesMax: number
  /** Maximum number of pieces of one upload. Each request adds at least one. */
  piecesMax: number
  unfinishedPerAccountMax: number
  unfinishedMax: number
  /** Maximum total of received bytes of all unfinished uploads. */
  receivedBytesMax: number
  /**
   * Time after which an upload expires, from its creation, from its last received piece or from its
   * end.
   */
  retentionMs: number
}

export const defaultUploadLimits: UploadLimits = {
  pieceBytesMax: 8 * 1024 * 1024,
  piecesMax: 1024,
  unfinishedPerAccountMax: 20,
  unfinishedMax: 2000,
  receivedBytesMax: 64 * 1024 ** 3,
  retentionMs: 24 * 60 * 60 * 1000,
}

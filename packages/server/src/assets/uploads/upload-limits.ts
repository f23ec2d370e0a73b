/** Limits of uploads that arrive in several requests. */
export interface UploadLimits {
  /** A longer request is stored in pieces of this size. At most one of them is lost with the process. */
  pieceBytesMax: number
  /** Pieces of one upload. Each request takes at least one. */
  piecesMax: number
  unfinishedPerAccountMax: number
  unfinishedMax: number
  /** Received bytes of all unfinished uploads. */
  receivedBytesMax: number
  /** From the last received byte, or from the end of the upload. */
  keptMs: number
}

export const defaultUploadLimits: UploadLimits = {
  pieceBytesMax: 8 * 1024 * 1024,
  piecesMax: 1024,
  unfinishedPerAccountMax: 20,
  unfinishedMax: 2000,
  receivedBytesMax: 64 * 1024 ** 3,
  keptMs: 24 * 60 * 60 * 1000,
}

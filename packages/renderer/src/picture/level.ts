/** A plane of 16-bit samples: a working plane, or a smaller copy of one. */
export interface Level {
  address: number
  strideBytes: number
  columns: number
  rows: number
}

/** A plane of 16-bit samples, of the frame's size or a fraction of it. */
export interface Level {
  address: number
  strideBytes: number
  columns: number
  rows: number
}

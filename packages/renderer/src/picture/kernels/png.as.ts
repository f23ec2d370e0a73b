// Filters the rows of an 8-bit RGB PNG: each byte is replaced by its difference from a prediction,
// which is computed from the bytes around it.

const pixelBytes = 3
const paeth: u8 = 4

/**
 * Returns the Paeth predictor for eight bytes: left, above or corner (above left), whichever is
 * nearest to left + above - corner. In a tie, the first one in this order is used.
 */
@inline
function paethPrediction(left: v128, above: v128, corner: v128): v128 {
  const fromLeft = i16x8.sub(above, corner), fromAbove = i16x8.sub(left, corner)
  const toLeft = i16x8.abs(fromLeft), toAbove = i16x8.abs(fromAbove), toCorner = i16x8.abs(i16x8.add(fromLeft, fromAbove))
  const isLeft = v128.and(i16x8.le_s(toLeft, toAbove), i16x8.le_s(toLeft, toCorner))
  return v128.bitselect(left, v128.bitselect(above, corner, i16x8.le_s(toAbove, toCorner)), isLeft)
}

/**
 * Writes each row of packed RGB as the number of its filter and its differences. Rows are processed
 * from top to bottom, so that `target` may overwrite rows that were already read.
 */
export function filterRows(target: usize, source: usize, width: i32, rows: i32): void {
  const bytes = width * pixelBytes
  for (let y = 0; y < rows; y++) {
    const row: usize = source + y * bytes, above: usize = row - bytes
    const to: usize = target + y * (bytes + 1)
    store<u8>(to, paeth)
    const out: usize = to + 1
    for (let x = 0; x < min(pixelBytes, bytes); x++) store<u8>(out + x, load<u8>(row + x) - (y == 0 ? 0 : load<u8>(above + x)))
    let x = pixelBytes
    for (; x + 16 <= bytes; x += 16) {
      const own = v128.load(row + x), left = v128.load(row + x - pixelBytes)
      // Above the first row all bytes are 0, and the predictor is the left byte.
      let guess = left
      if (y != 0) {
        const up = v128.load(above + x), corner = v128.load(above + x - pixelBytes)
        guess = i8x16.narrow_i16x8_u(
          paethPrediction(i16x8.extend_low_i8x16_u(left), i16x8.extend_low_i8x16_u(up), i16x8.extend_low_i8x16_u(corner)),
          paethPrediction(i16x8.extend_high_i8x16_u(left), i16x8.extend_high_i8x16_u(up), i16x8.extend_high_i8x16_u(corner)),
        )
      }
      v128.store(out + x, i8x16.sub(own, guess))
    }
    for (; x < bytes; x++) {
      const left = <i32>load<u8>(row + x - pixelBytes)
      let guess = left
      if (y != 0) {
        const up = <i32>load<u8>(above + x), corner = <i32>load<u8>(above + x - pixelBytes)
        const toLeft = abs(up - corner), toUp = abs(left - corner), toCorner = abs(left + up - 2 * corner)
        guess = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
      }
      store<u8>(out + x, <u8>(<i32>load<u8>(row + x) - guess))
    }
  }
}

// Reduces planes to half the size and enlarges them again, which makes wide blurs fast. Rows have
// a few spare samples after their columns that repeat the last sample, so that whole vectors can be
// read there.

const SPARE_SAMPLES: usize = 8

/**
 * Writes the mean of each 2x2 samples. `columns` and `rows` are the target's. If the source has an
 * odd number of rows, its last row counts twice.
 */
export function reducePlane(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, sourceRows: i32): void {
  const zero = i16x8.splat(0)
  for (let y = 0; y < rows; y++) {
    let from: usize = source + 2 * y * sourceStride, to: usize = target + y * targetStride
    const offsetBelow: usize = 2 * y + 1 < sourceRows ? sourceStride : 0
    const last: usize = to + ((columns - 1) << 1)
    for (let x = 0; x < columns; x += 8, from += 32, to += 16) {
      // Negative samples count as 0, because WASM has only an unsigned average.
      const a = i16x8.avgr_u(i16x8.max_s(zero, v128.load(from)), i16x8.max_s(zero, v128.load(from + offsetBelow)))
      const b = i16x8.avgr_u(i16x8.max_s(zero, v128.load(from, 16)), i16x8.max_s(zero, v128.load(from + offsetBelow, 16)))
      const even = v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
      const odd = v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
      v128.store(to, i16x8.avgr_u(even, odd))
    }
    const edge = load<i16>(last)
    for (let spare: usize = 1; spare <= SPARE_SAMPLES; spare++) store<i16>(last + (spare << 1), edge)
  }
}

/**
 * Enlarges a plane of half the size. Each sample is three quarters of the nearest source sample
 * plus one quarter of the next nearest, in both directions. `columns` and `rows` are the target's.
 */
export function enlargePlane(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, rowFirst: i32, rowEnd: i32): void {
  const lastRow = ((rows + 1) >> 1) - 1
  for (let y = rowFirst; y < rowEnd; y++) {
    const row = y >> 1, nearRow = max(0, min(lastRow, row + ((y & 1) ? 1 : -1)))
    let own: usize = source + row * sourceStride, near: usize = source + nearRow * sourceStride, to: usize = target + y * targetStride
    for (let x = 0; x < columns; x += 16, own += 16, near += 16, to += 32) {
      const middle = blendNear(v128.load(own), v128.load(near))
      const right = blendNear(v128.load(own, 2), v128.load(near, 2))
      const left = x == 0 ? v128.shuffle<i16>(middle, middle, 0, 0, 1, 2, 3, 4, 5, 6) : blendNear(v128.load(own - 2), v128.load(near - 2))
      const even = blendNear(middle, left), odd = blendNear(middle, right)
      v128.store(to, v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11))
      if (x + 8 < columns) v128.store(to, v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16)
    }
  }
}

@inline
function blendNear(own: v128, near: v128): v128 {
  return i16x8.avgr_u(own, i16x8.avgr_u(own, near))
}

// Treatments of a whole working plane, after everything is drawn and before it is stored.
import { lerp } from './sampling.as'

/** Luma through a curve of 17 knots, one for each 2,048th of a sample, straight between them. */
export function curveLuma(plane: usize, strideBytes: i32, rows: i32, knots: usize): void {
  const a = v128.load(knots), b = v128.load(knots, 16), c = v128.load(knots, 2), d = v128.load(knots, 18)
  const low = v128.shuffle<i8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  const high = v128.shuffle<i8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
  const nextLow = v128.shuffle<i8>(c, d, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  const nextHigh = v128.shuffle<i8>(c, d, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
  const lowOnly = i16x8.splat(-32768), highOnly = i16x8.splat(128), within = i16x8.splat(2047), zero = i16x8.splat(0)
  for (let at = plane, end: usize = plane + strideBytes * rows; at < end; at += 16) {
    const sample = i16x8.max_s(zero, v128.load(at)), knot = i16x8.shr_u(sample, 11)
    // A swizzle takes bytes; the half of each lane that is not asked for points out of the table and becomes nothing.
    const lows = v128.or(knot, lowOnly), highs = v128.or(i16x8.shl(knot, 8), highOnly)
    const from = v128.or(i8x16.swizzle(low, lows), i8x16.swizzle(high, highs))
    const to = v128.or(i8x16.swizzle(nextLow, lows), i8x16.swizzle(nextHigh, highs))
    v128.store(at, lerp(from, to, i16x8.shl(v128.and(sample, within), 4)))
  }
}

/** Adds shares of the colour to the light, as a coloured filter before black and white film does. Planes of the frame. */
export function filterLuma(planeY: usize, planeU: usize, planeV: usize, strideBytes: i32, chromaRows: i32, shareU: i32, shareV: i32): void {
  const grey = i16x8.splat(128 << 7), weightU = i16x8.splat(<i16>shareU), weightV = i16x8.splat(<i16>shareV), zero = i16x8.splat(0)
  const half: usize = strideBytes >> 1
  for (let y = 0; y < chromaRows; y++) {
    const upper: usize = planeY + 2 * y * strideBytes
    for (let x: usize = 0; x < half; x += 16) {
      const at: usize = y * half + x, to: usize = upper + 2 * x
      const u = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(planeU + at), grey), weightU)
      const added = i16x8.add_sat_s(u, i16x8.q15mulr_sat_s(i16x8.sub(v128.load(planeV + at), grey), weightV))
      const left = v128.shuffle<i16>(added, added, 0, 0, 1, 1, 2, 2, 3, 3), right = v128.shuffle<i16>(added, added, 4, 4, 5, 5, 6, 6, 7, 7)
      for (let row: usize = 0; row < 2; row++) {
        const line: usize = to + row * strideBytes
        v128.store(line, i16x8.max_s(zero, i16x8.add_sat_s(v128.load(line), left)))
        v128.store(line, i16x8.max_s(zero, i16x8.add_sat_s(v128.load(line, 16), right)), 16)
      }
    }
  }
}

/** Chroma's distance from grey times two `halfSaturation`, around `centre`. */
export function gradeChroma(plane: usize, strideBytes: i32, rows: i32, halfSaturation: i32, centre: i32): void {
  const factor = i16x8.splat(<i16>halfSaturation), grey = i16x8.splat(128 << 7), middle = i16x8.splat(<i16>centre)
  const end = plane + strideBytes * rows
  for (let at = plane; at < end; at += 16) {
    const half = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(at), grey), factor)
    v128.store(at, i16x8.max_s(i16x8.splat(0), i16x8.add_sat_s(middle, i16x8.add_sat_s(half, half))))
  }
}

/** Squares of `side` samples, each of the mean of four places in it, rounded to multiples of `level`. */
export function pixelatePlane(plane: usize, strideBytes: i32, width: i32, rows: i32, side: i32, level: i32): void {
  for (let top = 0; top < rows; top += side) {
    const upper: usize = plane + (top + min(rows - 1 - top, side >> 2)) * strideBytes
    const lower: usize = plane + (top + min(rows - 1 - top, (side * 3) >> 2)) * strideBytes
    const first: usize = plane + top * strideBytes
    for (let left = 0; left < width; left += side) {
      const near: usize = min(width - 1, left + (side >> 2)) << 1, far: usize = min(width - 1, left + ((side * 3) >> 2)) << 1
      const sum = <i32>load<i16>(upper + near) + <i32>load<i16>(upper + far) + <i32>load<i16>(lower + near) + <i32>load<i16>(lower + far)
      const value = min(32640, (((sum >> 2) + (level >> 1)) / level) * level)
      const end = min(width, left + side)
      // The row that is read is still needed by the next squares, the one that is written may be it: their columns differ.
      for (let x = left; x < end; x++) store<i16>(first + (x << 1), <i16>value)
    }
    const last = min(rows, top + side)
    for (let y = top + 1; y < last; y++) memory.copy(plane + y * strideBytes, first, width << 1)
  }
}

// Kernels of styles: they change working planes after all layers are drawn.
import { lerp } from './sampling.as'

/** Maps luma through a piecewise linear curve of 17 knots, one every 2,048 sample values. */
export function curveLuma(plane: usize, strideBytes: i32, rows: i32, knots: usize): void {
  const a = v128.load(knots), b = v128.load(knots, 16), c = v128.load(knots, 2), d = v128.load(knots, 18)
  const low = v128.shuffle<i8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  const high = v128.shuffle<i8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
  const nextLow = v128.shuffle<i8>(c, d, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
  const nextHigh = v128.shuffle<i8>(c, d, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
  const lowOnly = i16x8.splat(-32768), highOnly = i16x8.splat(128), within = i16x8.splat(2047), zero = i16x8.splat(0)
  for (let at = plane, end: usize = plane + strideBytes * rows; at < end; at += 16) {
    const sample = i16x8.max_s(zero, v128.load(at)), knot = i16x8.shr_u(sample, 11)
    // A swizzle selects bytes. The other half of each lane points outside the table and becomes 0.
    const lows = v128.or(knot, lowOnly), highs = v128.or(i16x8.shl(knot, 8), highOnly)
    const from = v128.or(i8x16.swizzle(low, lows), i8x16.swizzle(high, highs))
    const to = v128.or(i8x16.swizzle(nextLow, lows), i8x16.swizzle(nextHigh, highs))
    v128.store(at, lerp(from, to, i16x8.shl(v128.and(sample, within), 4)))
  }
}

/**
 * Adds shares of U and V to luma, like a colored filter in front of black and white film.
 * `strideBytes` is the stride of luma.
 */
export function filterLuma(planeY: usize, planeU: usize, planeV: usize, strideBytes: i32, chromaRows: i32, shareU: i32, shareV: i32): void {
  const gray = i16x8.splat(128 << 7), weightU = i16x8.splat(<i16>shareU), weightV = i16x8.splat(<i16>shareV), zero = i16x8.splat(0)
  const half: usize = strideBytes >> 1
  for (let y = 0; y < chromaRows; y++) {
    const upper: usize = planeY + 2 * y * strideBytes
    for (let x: usize = 0; x < half; x += 16) {
      const at: usize = y * half + x, to: usize = upper + 2 * x
      const u = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(planeU + at), gray), weightU)
      const added = i16x8.add_sat_s(u, i16x8.q15mulr_sat_s(i16x8.sub(v128.load(planeV + at), gray), weightV))
      const left = v128.shuffle<i16>(added, added, 0, 0, 1, 1, 2, 2, 3, 3), right = v128.shuffle<i16>(added, added, 4, 4, 5, 5, 6, 6, 7, 7)
      for (let row: usize = 0; row < 2; row++) {
        const line: usize = to + row * strideBytes
        v128.store(line, i16x8.max_s(zero, i16x8.add_sat_s(v128.load(line), left)))
        v128.store(line, i16x8.max_s(zero, i16x8.add_sat_s(v128.load(line, 16), right)), 16)
      }
    }
  }
}

/** Multiplies chroma's distance from gray by twice `halfSaturation`, and adds it to `center`. */
export function gradeChroma(plane: usize, strideBytes: i32, rows: i32, halfSaturation: i32, center: i32): void {
  const factor = i16x8.splat(<i16>halfSaturation), gray = i16x8.splat(128 << 7), middle = i16x8.splat(<i16>center)
  const end = plane + strideBytes * rows
  for (let at = plane; at < end; at += 16) {
    const half = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(at), gray), factor)
    v128.store(at, i16x8.max_s(i16x8.splat(0), i16x8.add_sat_s(middle, i16x8.add_sat_s(half, half))))
  }
}

/**
 * Multiplies chroma's distance from gray by twice `halfSaturation`, and adds it to a value that
 * luma determines: `shadows` at luma 0, `lights` at the maximum luma, and interpolated values
 * between.
 */
export function toneChroma(plane: usize, luma: usize, lumaStride: i32, rows: i32, halfSaturation: i32, shadows: i32, lights: i32): void {
  const factor = i16x8.splat(<i16>halfSaturation), gray = i16x8.splat(128 << 7), zero = i16x8.splat(0)
  const dark = i16x8.splat(<i16>shadows), bright = i16x8.splat(<i16>lights), half: usize = lumaStride >> 1
  for (let y = 0; y < rows; y++) {
    const row: usize = plane + y * half, lightRow: usize = luma + 2 * y * lumaStride
    for (let x: usize = 0; x < half; x += 16) {
      const light = v128.shuffle<i16>(v128.load(lightRow + 2 * x), v128.load(lightRow + 2 * x, 16), 0, 2, 4, 6, 8, 10, 12, 14)
      const difference = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(row + x), gray), factor)
      v128.store(row + x, i16x8.max_s(zero, i16x8.add_sat_s(lerp(dark, bright, i16x8.max_s(zero, light)), i16x8.add_sat_s(difference, difference))))
    }
  }
}

/**
 * Moves the rows from `rowFirst` to `rowEnd` left and up by whole samples and 15-bit fractions of a
 * sample. The vacated columns and rows repeat the last ones.
 */
export function weavePlane(plane: usize, strideBytes: i32, columns: i32, rows: i32, rowFirst: i32, rowEnd: i32, wholeX: i32, wholeY: i32, fractionX: i32, fractionY: i32): void {
  const weightX = i16x8.splat(<i16>fractionX), weightY = i16x8.splat(<i16>fractionY)
  const lastOffset: usize = (columns - 1 - wholeX - 1) << 1
  for (let y = rowFirst; y < rowEnd; y++) {
    const to: usize = plane + y * strideBytes
    const from: usize = plane + min(rows - 1, y + wholeY) * strideBytes + (wholeX << 1)
    const rowStep: usize = y + wholeY + 1 < rows ? strideBytes : 0
    for (let x: usize = 0, end: usize = columns << 1; x < end; x += 16) {
      const upper = lerp(v128.load(from + x), v128.load(from + x, 2), weightX)
      const lower = lerp(v128.load(from + rowStep + x), v128.load(from + rowStep + x, 2), weightX)
      v128.store(to + x, lerp(upper, lower, weightY))
    }
    const last = load<i16>(to + lastOffset)
    for (let x: usize = lastOffset + 2, end: usize = columns << 1; x < end; x += 2) store<i16>(to + x, last)
  }
}

/**
 * Multiplies chroma's distance from gray by twice `halfSaturation`, and adds it to `center` plus a
 * tint. `tints` has one signed byte for each sample, in eighths of a code value.
 */
export function tintChroma(plane: usize, strideBytes: i32, columns: i32, rows: i32, halfSaturation: i32, center: i32, tints: usize): void {
  const factor = i16x8.splat(<i16>halfSaturation), gray = i16x8.splat(128 << 7), middle = i16x8.splat(<i16>center), zero = i16x8.splat(0)
  for (let y = 0; y < rows; y++) {
    let at: usize = plane + y * strideBytes
    for (let x = 0; x < columns; x += 8, at += 16, tints += 8) {
      const half = i16x8.q15mulr_sat_s(i16x8.sub(v128.load(at), gray), factor)
      const tinted = i16x8.add(middle, i16x8.shl(i16x8.extend_low_i8x16_s(v128.load64_zero(tints)), 4))
      v128.store(at, i16x8.max_s(zero, i16x8.add_sat_s(tinted, i16x8.add_sat_s(half, half))))
    }
  }
}

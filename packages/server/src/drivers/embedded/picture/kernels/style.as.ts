// Treatments of a whole working plane, after everything is drawn and before it is stored.
import { lerp } from './sampling.as'

/** Luma towards an S-curve by `contrast`, times `gain`, plus `offset`; all 15-bit shares or samples. */
export function gradeLuma(plane: usize, strideBytes: i32, rows: i32, contrast: i32, gain: i32, offset: i32): void {
  const share = i16x8.splat(<i16>contrast), factor = i16x8.splat(<i16>gain), added = i16x8.splat(<i16>offset)
  const end = plane + strideBytes * rows
  for (let at = plane; at < end; at += 16) {
    const light = i16x8.max_s(i16x8.splat(0), v128.load(at))
    const squared = i16x8.q15mulr_sat_s(light, light)
    const rest = i16x8.sub(squared, i16x8.q15mulr_sat_s(squared, light))
    const curve = i16x8.add_sat_s(squared, i16x8.add(rest, rest)) // x * x * (3 - 2 * x)
    v128.store(at, i16x8.add_sat_s(i16x8.q15mulr_sat_s(lerp(light, curve, share), factor), added))
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

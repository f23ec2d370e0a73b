// Light that spreads around bright areas. It is extracted from planes of a quarter of the frame's
// width and height, and reduced to ever smaller planes. Then each plane is enlarged and added to
// the next larger one, so that a glow is dense near its source and reaches far. These planes hold
// signed samples.

const SPARE_SAMPLES: usize = 8

/**
 * Settings that the host writes. The planes contain the frame at a quarter of its width and height.
 * `passBright` replaces them with the light that glows.
 */
@unmanaged
export class BrightPass {
  planeY: usize
  planeU: usize
  planeV: usize
  strideBytes: i32
  rows: i32
  threshold: i32
  colorWeight: i32 // factor (15 bits) with which |U| + |V| is added to the light
  keptShare: i32 // 15-bit share of the pixel's own color that the glow keeps
  tintU: i32 // 15-bit share of the light that is added to U
  tintV: i32 // 15-bit share of the light that is added to V
}

export function passBright(pass: BrightPass): void {
  const zero = i16x8.splat(0), gray = i16x8.splat(128 << 7), black = i16x8.splat(16 << 7)
  const threshold = i16x8.splat(<i16>pass.threshold), weight = i16x8.splat(<i16>pass.colorWeight)
  const keptShare = i16x8.splat(<i16>pass.keptShare), tintU = i16x8.splat(<i16>pass.tintU), tintV = i16x8.splat(<i16>pass.tintV)
  for (let at: usize = 0, end: usize = pass.strideBytes * pass.rows; at < end; at += 16) {
    const light = i16x8.max_s(zero, i16x8.sub(v128.load(pass.planeY + at), black))
    const u = i16x8.sub(v128.load(pass.planeU + at), gray), v = i16x8.sub(v128.load(pass.planeV + at), gray)
    const vivid = i16x8.q15mulr_sat_s(i16x8.add_sat_s(i16x8.abs(u), i16x8.abs(v)), weight)
    const over = i16x8.max_s(zero, i16x8.sub_sat_s(i16x8.add_sat_s(light, vivid), threshold))
    const share = i16x8.add_sat_s(over, over)
    const bright = i16x8.q15mulr_sat_s(i16x8.add_sat_s(light, vivid), share)
    const own = i16x8.q15mulr_sat_s(share, keptShare)
    v128.store(pass.planeY + at, bright)
    v128.store(pass.planeU + at, i16x8.add_sat_s(i16x8.q15mulr_sat_s(u, own), i16x8.q15mulr_sat_s(bright, tintU)))
    v128.store(pass.planeV + at, i16x8.add_sat_s(i16x8.q15mulr_sat_s(v, own), i16x8.q15mulr_sat_s(bright, tintV)))
  }
}

/** A signed average: WASM has only an unsigned one. */
@inline
function average(a: v128, b: v128): v128 {
  const flip = i16x8.splat(-32768)
  return v128.xor(i16x8.avgr_u(v128.xor(a, flip), v128.xor(b, flip)), flip)
}

/** Like `reducePlane`, for signed samples. */
export function reduceGlow(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, sourceRows: i32): void {
  for (let y = 0; y < rows; y++) {
    let from: usize = source + 2 * y * sourceStride, to: usize = target + y * targetStride
    const offsetBelow: usize = 2 * y + 1 < sourceRows ? <usize>sourceStride : 0
    const last: usize = to + ((columns - 1) << 1)
    for (let x = 0; x < columns; x += 8, from += 32, to += 16) {
      const a = average(v128.load(from), v128.load(from + offsetBelow)), b = average(v128.load(from, 16), v128.load(from + offsetBelow, 16))
      const even = v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14), odd = v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
      v128.store(to, average(even, odd))
    }
    const edge = load<i16>(last)
    for (let spare: usize = 1; spare <= SPARE_SAMPLES; spare++) store<i16>(last + (spare << 1), edge)
  }
}

// Light is never negative, so its average needs no sign flip. `isSigned` is a constant in each
// call, so the compiler removes the other branch.
@inline
function blendNear(own: v128, near: v128, isSigned: bool): v128 {
  return isSigned ? average(own, average(own, near)) : i16x8.avgr_u(own, i16x8.avgr_u(own, near))
}

/** Returns whether all samples are at most a quarter of a code value, which is not visible. */
@inline
function isDark(a: v128, b: v128, c: v128, d: v128, isSigned: bool): bool {
  const faint = i16x8.splat(32)
  if (isSigned) {
    const largest = i16x8.max_s(i16x8.max_s(i16x8.abs(a), i16x8.abs(b)), i16x8.max_s(i16x8.abs(c), i16x8.abs(d)))
    return !v128.any_true(i16x8.gt_s(largest, faint))
  }
  return !v128.any_true(i16x8.gt_s(i16x8.max_s(i16x8.max_s(a, b), i16x8.max_s(c, d)), faint))
}

@inline
function addEnlarged(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, gain: i32, isSigned: bool): void {
  const lastRow = ((rows + 1) >> 1) - 1, strength = i16x8.splat(<i16>gain), limit = i16x8.splat(32640)
  for (let y = 0; y < rows; y++) {
    const row = y >> 1, nearRow = max(0, min(lastRow, row + ((y & 1) ? 1 : -1)))
    let own: usize = source + row * sourceStride, near: usize = source + nearRow * sourceStride, to: usize = target + y * targetStride
    for (let x = 0; x < columns; x += 16, own += 16, near += 16, to += 32) {
      const ownLeft = v128.load(own - 2), ownRight = v128.load(own, 2), nearLeft = v128.load(near - 2), nearRight = v128.load(near, 2)
      if (x > 0 && isDark(ownLeft, ownRight, nearLeft, nearRight, isSigned)) continue
      const middle = blendNear(v128.load(own), v128.load(near), isSigned), right = blendNear(ownRight, nearRight, isSigned)
      const left = x == 0 ? v128.shuffle<i16>(middle, middle, 0, 0, 1, 2, 3, 4, 5, 6) : blendNear(ownLeft, nearLeft, isSigned)
      const even = i16x8.q15mulr_sat_s(blendNear(middle, left, isSigned), strength), odd = i16x8.q15mulr_sat_s(blendNear(middle, right, isSigned), strength)
      v128.store(to, i16x8.min_s(limit, i16x8.add_sat_s(v128.load(to), v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11))))
      if (x + 8 < columns) {
        v128.store(to, i16x8.min_s(limit, i16x8.add_sat_s(v128.load(to, 16), v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15))), 16)
      }
    }
  }
}

/**
 * Enlarges a plane of half the width and height, multiplies it by `gain` (15 bits) and adds it to
 * the target. The samples are chroma, which may be negative.
 */
export function addGlow(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, gain: i32): void {
  addEnlarged(target, targetStride, source, sourceStride, columns, rows, gain, true)
}

/** Like `addGlow`, for luma, which is never negative. */
export function addLight(target: usize, targetStride: i32, source: usize, sourceStride: i32, columns: i32, rows: i32, gain: i32): void {
  addEnlarged(target, targetStride, source, sourceStride, columns, rows, gain, false)
}

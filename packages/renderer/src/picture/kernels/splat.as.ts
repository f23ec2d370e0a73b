/** Entries of a profile. One more entry of strength 0 follows, for samples outside the spot. */
const entries = 64

/**
 * Adds one round spot. `profile` holds 15-bit strengths by squared distance, and `amplitude` may be
 * negative. Four samples are processed at a time, so up to three samples to the right of the spot
 * are stored unchanged.
 */
export function addSplat(plane: usize, strideBytes: i32, width: i32, height: i32, centerX: f32, centerY: f32, radius: f32, amplitude: i32, profile: usize): void {
  const top = max(0, i32(Mathf.floor(centerY - radius))), bottom = min(height - 1, i32(Mathf.ceil(centerY + radius)))
  const squared = radius * radius
  const scale = f32x4.splat(f32(entries) / squared), four = f32x4.splat(4), last = i32x4.splat(entries)
  const edge = f32x4.splat(f32(width - 1) - centerX)
  const strength = i32x4.splat(amplitude), least = i16x8.splat(0), most = i16x8.splat(32640)
  for (let y = top; y <= bottom; y++) {
    const dy = f32(y) - centerY
    const rest = squared - dy * dy
    if (rest <= 0) continue
    const half = Mathf.sqrt(rest)
    const left = max(0, i32(Mathf.floor(centerX - half))), right = min(width - 1, i32(Mathf.ceil(centerX + half)))
    const dySquared = f32x4.splat(dy * dy)
    let dx = f32x4.add(f32x4.splat(f32(left) - centerX), f32x4(0, 1, 2, 3))
    let address: usize = plane + y * strideBytes + (left << 1)
    for (let x = left; x <= right; x += 4, address += 8, dx = f32x4.add(dx, four)) {
      const distance = f32x4.mul(f32x4.add(f32x4.mul(dx, dx), dySquared), scale)
      const entry = v128.bitselect(last, i32x4.min_s(i32x4.trunc_sat_f32x4_s(distance), last), f32x4.gt(dx, edge))
      let light = i32x4.splat(<i32>load<i16>(profile + (i32x4.extract_lane(entry, 0) << 1)))
      light = i32x4.replace_lane(light, 1, <i32>load<i16>(profile + (i32x4.extract_lane(entry, 1) << 1)))
      light = i32x4.replace_lane(light, 2, <i32>load<i16>(profile + (i32x4.extract_lane(entry, 2) << 1)))
      light = i32x4.replace_lane(light, 3, <i32>load<i16>(profile + (i32x4.extract_lane(entry, 3) << 1)))
      const added = i32x4.shr_s(i32x4.mul(light, strength), 15)
      const sum = i32x4.add(i32x4.extend_low_i16x8_s(v128.load64_zero(address)), added)
      v128.store64_lane(address, i16x8.min_s(i16x8.max_s(i16x8.narrow_i32x4_s(sum, sum), least), most), 0)
    }
  }
}

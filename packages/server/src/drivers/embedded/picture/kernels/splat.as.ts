/** Adds one round spot. `profile` holds 64 15-bit strengths over the squared distance; `amplitude` may be negative. */
export function addSplat(plane: usize, strideBytes: i32, width: i32, height: i32, centreX: f32, centreY: f32, radius: f32, amplitude: i32, profile: usize): void {
  const left = max(0, i32(Mathf.floor(centreX - radius))), right = min(width - 1, i32(Mathf.ceil(centreX + radius)))
  const top = max(0, i32(Mathf.floor(centreY - radius))), bottom = min(height - 1, i32(Mathf.ceil(centreY + radius)))
  const scale: f32 = 64.0 / (radius * radius)
  for (let y = top; y <= bottom; y++) {
    const dy = f32(y) - centreY
    let sample: usize = plane + y * strideBytes + (left << 1)
    for (let x = left; x <= right; x++, sample += 2) {
      const dx = f32(x) - centreX
      const entry = i32((dx * dx + dy * dy) * scale)
      if (entry >= 64) continue
      const sum = <i32>load<i16>(sample) + ((<i32>load<i16>(profile + (entry << 1)) * amplitude) >> 15)
      store<i16>(sample, <i16>max(0, min(32640, sum)))
    }
  }
}

// Drawing layers (8-bit, with alpha) and textures (small, 16-bit) onto the working planes, bilinear in both directions.
// Two horizontally resampled rows are kept; most destination rows need at most one new row.
import { lerp, ROW_CACHE_BYTES, sampleRow8, sampleRow16, Span } from './sampling.as'

/**
 * Source-over of one premultiplied plane. Source-over commutes with the YUV matrix, so it is right for U and V too,
 * whose +128 offset is premultiplied. Rows above `topRow` are known to be empty.
 */
export function composeLayer(span: Span, colour: usize, alpha: usize, stride: i32, height: i32, topRow: i32, opacity: i32): void {
  const blocks = span.blocks, targetStride = span.targetStride, rowEnd = span.rowEnd
  const fade = i16x8.splat(<i16>opacity), full = i16x8.splat(32767)
  let upper = span.rowCache, lower = span.rowCache + 2 * ROW_CACHE_BYTES
  let upperRow = -1, lowerRow = -1
  for (let y = span.rowFirst; y < rowEnd; y++) {
    const position = span.sourceY + y * span.sourceStepY
    let row = position >> 16, fraction = (position & 0xffff) >> 1
    if (row < topRow - 1) continue
    if (row < 0) { row = 0; fraction = 0 }
    if (row > height - 2) { row = height - 2; fraction = 32767 }
    if (upperRow != row) {
      if (lowerRow == row) {
        const swap = upper
        upper = lower
        lower = swap
      } else {
        sampleRow8(upper, colour + row * stride, span)
        sampleRow8(upper + ROW_CACHE_BYTES, alpha + row * stride, span)
      }
      upperRow = row
      lowerRow = -1
    }
    if (lowerRow != row + 1) {
      sampleRow8(lower, colour + (row + 1) * stride, span)
      sampleRow8(lower + ROW_CACHE_BYTES, alpha + (row + 1) * stride, span)
      lowerRow = row + 1
    }
    const weight = i16x8.splat(<i16>fraction)
    let target = span.target + y * targetStride
    for (let offset: usize = 0, end: usize = blocks << 4; offset < end; offset += 16, target += 16) {
      const alphaUpper = v128.load(upper + ROW_CACHE_BYTES + offset), alphaLower = v128.load(lower + ROW_CACHE_BYTES + offset)
      if (!v128.any_true(v128.or(alphaUpper, alphaLower))) continue
      let over = lerp(v128.load(upper + offset), v128.load(lower + offset), weight)
      let cover = lerp(alphaUpper, alphaLower, weight)
      if (opacity < 32767) {
        over = i16x8.q15mulr_sat_s(over, fade)
        cover = i16x8.q15mulr_sat_s(cover, fade)
      }
      cover = i16x8.add_sat_s(cover, i16x8.shr_u(cover, 8)) // 255 * 128 becomes 1.0
      v128.store(target, i16x8.add_sat_s(over, i16x8.q15mulr_sat_s(v128.load(target), i16x8.sub(full, cover))))
    }
  }
}

export const MODE_REPLACE = 0
export const MODE_ADD = 1
export const MODE_TOWARDS_COLOUR = 2
export const MODE_TOWARDS_PLANE = 3

/**
 * A small 16-bit texture, scaled up. REPLACE stores it, ADD adds it (times `gain`), TOWARDS_COLOUR uses it as the cover of
 * `colour` (fog), TOWARDS_PLANE as the cover of another working plane that lies `colour` bytes from the target.
 */
export function composeTexture(span: Span, texels: usize, strideBytes: i32, height: i32, mode: i32, gain: i32, colour: i32): void {
  const blocks = span.blocks, targetStride = span.targetStride, rowEnd = span.rowEnd
  const strength = i16x8.splat(<i16>gain), constant = i16x8.splat(<i16>colour)
  let upper = span.rowCache, lower = span.rowCache + ROW_CACHE_BYTES
  let upperRow = -1, lowerRow = -1
  for (let y = span.rowFirst; y < rowEnd; y++) {
    const position = span.sourceY + y * span.sourceStepY
    let row = position >> 16, fraction = (position & 0xffff) >> 1
    if (row < 0) { row = 0; fraction = 0 }
    if (row > height - 2) { row = height - 2; fraction = 32767 }
    if (upperRow != row) {
      if (lowerRow == row) {
        const swap = upper
        upper = lower
        lower = swap
      } else {
        sampleRow16(upper, texels + row * strideBytes, span)
      }
      upperRow = row
      lowerRow = -1
    }
    if (lowerRow != row + 1) {
      sampleRow16(lower, texels + (row + 1) * strideBytes, span)
      lowerRow = row + 1
    }
    const weight = i16x8.splat(<i16>fraction)
    let target = span.target + y * targetStride
    for (let offset: usize = 0, end: usize = blocks << 4; offset < end; offset += 16, target += 16) {
      const texel = lerp(v128.load(upper + offset), v128.load(lower + offset), weight)
      if (mode == MODE_REPLACE) {
        v128.store(target, texel)
        continue
      }
      const below = v128.load(target), scaled = i16x8.q15mulr_sat_s(texel, strength)
      if (mode == MODE_ADD) v128.store(target, i16x8.add_sat_s(below, scaled))
      else if (mode == MODE_TOWARDS_COLOUR) v128.store(target, lerp(below, constant, scaled))
      else v128.store(target, lerp(below, v128.load(target + colour), scaled))
    }
  }
}

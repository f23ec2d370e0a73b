// Draws a whole 8-bit picture through a smooth grid of source positions: one grid point per 8x8
// samples, affine between them. Rows are processed in pairs that share the set-up. Sample positions
// are clamped to the 16-byte window; otherwise edges turn green.
import { lerp } from './sampling.as'

/** Filled by the host. The picture's stride leaves 16 readable bytes after any used sample. */
@unmanaged
export class Warp {
  target: usize
  targetStride: i32
  rows: i32
  picture: usize
  pictureStride: i32
  pictureRows: i32
  gridX: usize
  gridY: usize
  gridStride: i32 // points in a grid row
  spans: usize // u16 first and u16 end for each row of cells; samples outside are not drawn
  cellShift: i32 // log2 of a cell's side in samples of this plane, 3 or 4
  scale: f32 // grid units to picture samples
}

@inline
function sampleEight(source: usize, pairs: v128, weight: v128): v128 {
  const samples = i8x16.swizzle(v128.load(source), pairs)
  return lerp(i16x8.shl(i16x8.extend_low_i8x16_u(samples), 7), i16x8.shl(i16x8.extend_high_i8x16_u(samples), 7), weight)
}

export function warpPicture(warp: Warp): void {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7), zero = i16x8.splat(0), one = i16x8.splat(1)
  const fractionMask = i16x8.splat(255), lastPlace = i16x8.splat(14)
  const stride = warp.pictureStride, lastX = stride - 16, lastY = warp.pictureRows - 3
  const cellShift = warp.cellShift
  for (let y = 0; y < warp.rows; y += 2) {
    const span = warp.spans + (<usize>(y >> cellShift) << 2)
    const first = <i32>load<u16>(span) << (cellShift - 3), end = <i32>load<u16>(span, 2) << (cellShift - 3)
    if (first >= end) continue
    const gridRow = (y >> 3) * warp.gridStride
    const lowerShare: f32 = f32(y & 7) * 0.125 * 256.0 * warp.scale, upperShare: f32 = 256.0 * warp.scale - lowerShare
    let pointX: usize = warp.gridX + ((gridRow + first) << 2), pointY: usize = warp.gridY + ((gridRow + first) << 2)
    const nextRow: usize = warp.gridStride << 2
    let x0 = i32(load<f32>(pointX) * upperShare + load<f32>(pointX + nextRow) * lowerShare)
    let y0 = i32(load<f32>(pointY) * upperShare + load<f32>(pointY + nextRow) * lowerShare)
    let target: usize = warp.target + y * warp.targetStride + (first << 4)
    for (let block = first; block < end; block++, target += 16) {
      pointX += 4
      pointY += 4
      const x1 = i32(load<f32>(pointX) * upperShare + load<f32>(pointX + nextRow) * lowerShare)
      const y1 = i32(load<f32>(pointY) * upperShare + load<f32>(pointY + nextRow) * lowerShare)
      const column = max(0, min(lastX, min(x0, x1) >> 8)), row = max(0, min(lastY, min(y0, y1) >> 8))
      const across = i16x8.max_s(zero, i16x8.add(i16x8.splat(<i16>max(-3500, min(3500, x0 - (column << 8)))), i16x8.mul(lanes, i16x8.splat(<i16>((x1 - x0) >> 3)))))
      const place = i16x8.min_s(i16x8.shr_u(across, 8), lastPlace)
      const weight = i16x8.shl(v128.and(across, fractionMask), 7)
      const pairs = i8x16.narrow_i16x8_u(place, i16x8.add(place, one))
      const down = i16x8.max_s(zero, i16x8.add_sat_s(i16x8.splat(<i16>max(0, min(32767, (y0 - (row << 8)) << 7))), i16x8.mul(lanes, i16x8.splat(<i16>max(-4000, min(4000, (y1 - y0) << 4))))))
      const source: usize = warp.picture + row * stride + column
      const upper = sampleEight(source, pairs, weight), middle = sampleEight(source + stride, pairs, weight), lower = sampleEight(source + 2 * stride, pairs, weight)
      v128.store(target, lerp(upper, middle, down))
      v128.store(target + warp.targetStride, lerp(middle, lower, down))
      x0 = x1
      y0 = y1
    }
  }
}

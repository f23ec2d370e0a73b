// Draws an 8-bit picture to 16-bit samples through a grid of source positions. There is one grid
// point per 8x8 samples, and positions between grid points are interpolated. Rows are processed in
// pairs. Positions are clamped to the 16 bytes of one load, because `swizzle` returns 0 beyond
// them, which is green in YUV.
import { lerp } from './sampling.as'

/** Filled by the host. The picture's stride is at least 16, the size of one load. */
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
function sampleEight(source: usize, pairOffsets: v128, weight: v128): v128 {
  const samples = i8x16.swizzle(v128.load(source), pairOffsets)
  return lerp(i16x8.shl(i16x8.extend_low_i8x16_u(samples), 7), i16x8.shl(i16x8.extend_high_i8x16_u(samples), 7), weight)
}

export function warpPicture(warp: Warp): void {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7), zero = i16x8.splat(0), one = i16x8.splat(1)
  const fractionMask = i16x8.splat(255), lastOffset = i16x8.splat(14)
  const stride = warp.pictureStride, lastX = stride - 16, lastY = warp.pictureRows - 3
  const cellShift = warp.cellShift
  for (let y = 0; y < warp.rows; y += 2) {
    const span = warp.spans + (<usize>(y >> cellShift) << 2)
    const first = <i32>load<u16>(span) << (cellShift - 3), end = <i32>load<u16>(span, 2) << (cellShift - 3)
    if (first >= end) continue
    const gridRow = (y >> 3) * warp.gridStride
    // From grid units to 8.8 picture samples.
    const lowerWeight: f32 = f32(y & 7) * 0.125 * 256.0 * warp.scale, upperWeight: f32 = 256.0 * warp.scale - lowerWeight
    let pointX: usize = warp.gridX + ((gridRow + first) << 2), pointY: usize = warp.gridY + ((gridRow + first) << 2)
    const nextRow: usize = warp.gridStride << 2
    let x0 = i32(load<f32>(pointX) * upperWeight + load<f32>(pointX + nextRow) * lowerWeight)
    let y0 = i32(load<f32>(pointY) * upperWeight + load<f32>(pointY + nextRow) * lowerWeight)
    let target: usize = warp.target + y * warp.targetStride + (first << 4)
    for (let block = first; block < end; block++, target += 16) {
      pointX += 4
      pointY += 4
      const x1 = i32(load<f32>(pointX) * upperWeight + load<f32>(pointX + nextRow) * lowerWeight)
      const y1 = i32(load<f32>(pointY) * upperWeight + load<f32>(pointY + nextRow) * lowerWeight)
      const column = max(0, min(lastX, min(x0, x1) >> 8)), row = max(0, min(lastY, min(y0, y1) >> 8))
      const positionX = i16x8.max_s(zero, i16x8.add(i16x8.splat(<i16>max(-3500, min(3500, x0 - (column << 8)))), i16x8.mul(lanes, i16x8.splat(<i16>((x1 - x0) >> 3)))))
      const offset = i16x8.min_s(i16x8.shr_u(positionX, 8), lastOffset)
      const weight = i16x8.shl(v128.and(positionX, fractionMask), 7)
      const pairOffsets = i8x16.narrow_i16x8_u(offset, i16x8.add(offset, one))
      const weightY = i16x8.max_s(zero, i16x8.add_sat_s(i16x8.splat(<i16>max(0, min(32767, (y0 - (row << 8)) << 7))), i16x8.mul(lanes, i16x8.splat(<i16>max(-4000, min(4000, (y1 - y0) << 4))))))
      const source: usize = warp.picture + row * stride + column
      const upper = sampleEight(source, pairOffsets, weight), middle = sampleEight(source + stride, pairOffsets, weight), lower = sampleEight(source + 2 * stride, pairOffsets, weight)
      v128.store(target, lerp(upper, middle, weightY))
      v128.store(target + warp.targetStride, lerp(middle, lower, weightY))
      x0 = x1
      y0 = y1
    }
  }
}

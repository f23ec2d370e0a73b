// Kernels of the ink and watercolor styles. `washPlane` slightly displaces the samples of a plane of
// half the frame's size. It darkens samples that are darker than their surroundings, because
// pigment collects at the edges of wet areas. `coatPlane` adds the texture of paper.
import { lerp } from './sampling.as'

/** Filled by the host. Strides are in bytes. */
@unmanaged
export class Wash {
  target: usize
  targetStride: i32
  source: usize
  sourceStride: i32
  surroundings: usize // blurred, laid out like the source, or 0
  blocks: i32
  rows: i32
  offsets: usize // `blocks + 1` byte offsets for each row, to the sample that replaces the current one
  edge: i32 // a quarter of the strength of the darkening, in 15 bits
  darkeningMax: i32 // limit of the darkening at an edge
}

export function washPlane(wash: Wash): void {
  // Samples between two offsets are blended, so that block borders are not visible.
  const ramp = i16x8(0, 4096, 8192, 12288, 16384, 20480, 24576, 28672)
  const zero = i16x8.splat(0), share = i16x8.splat(<i16>wash.edge), most = i16x8.splat(<i16>wash.darkeningMax)
  const surroundingsOffset = wash.surroundings - wash.source, hasEdges = wash.surroundings != 0
  let offset = wash.offsets
  for (let y = 0; y < wash.rows; y++) {
    let source: usize = wash.source + y * wash.sourceStride, target: usize = wash.target + y * wash.targetStride
    for (let block = 0; block < wash.blocks; block++, source += 16, target += 16, offset += 4) {
      const first: usize = source + load<i32>(offset), second: usize = source + load<i32>(offset, 4)
      let sample = lerp(v128.load(first), v128.load(second), ramp)
      if (hasEdges) {
        const lighter = i16x8.sub(lerp(v128.load(first + surroundingsOffset), v128.load(second + surroundingsOffset), ramp), sample)
        const darkening = i16x8.q15mulr_sat_s(i16x8.max_s(zero, lighter), share)
        sample = i16x8.max_s(zero, i16x8.sub(sample, i16x8.min_s(most, doubled(doubled(darkening)))))
      }
      v128.store(target, sample)
    }
    offset += 4
  }
}

@inline
function doubled(sample: v128): v128 {
  return i16x8.add_sat_s(sample, sample)
}

/**
 * Scales each sample's distance from `paper` by `coat`, which has an 8-bit factor for each sample.
 * 128 leaves a sample unchanged.
 */
export function coatPlane(target: usize, targetStride: i32, source: usize, sourceStride: i32, coat: usize, width: i32, rows: i32, paper: i32): void {
  const pivot = i16x8.splat(<i16>paper), zero = i16x8.splat(0)
  for (let y = 0; y < rows; y++) {
    let from: usize = source + y * sourceStride, to: usize = target + y * targetStride
    for (let x = 0; x < width; x += 16, from += 32, to += 32, coat += 16) {
      const thick = v128.load(coat)
      v128.store(to, coated(v128.load(from), i16x8.extend_low_i8x16_u(thick), pivot, zero))
      v128.store(to, coated(v128.load(from, 16), i16x8.extend_high_i8x16_u(thick), pivot, zero), 16)
    }
  }
}

@inline
function coated(sample: v128, thick: v128, pivot: v128, zero: v128): v128 {
  const half = i16x8.q15mulr_sat_s(i16x8.sub(sample, pivot), i16x8.shl(thick, 7))
  return i16x8.max_s(zero, i16x8.add_sat_s(pivot, doubled(half)))
}

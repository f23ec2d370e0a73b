// Intra prediction of macroblocks (clauses 8.3.3 and 8.3.4 of the H.264 standard). Predictions are
// written to the picture under construction.
import { chromaStride, reconU, reconV, reconY, sourceChromaStride, sourceStride, sourceU, sourceV, sourceY, stride } from './picture.as'
import { differences, totalOf } from './sums.as'

/** Values of Intra16x16PredMode. */
const LUMA_VERTICAL: i32 = 0
const LUMA_HORIZONTAL: i32 = 1
const LUMA_DC: i32 = 2
const LUMA_PLANE: i32 = 3
/** Values of intra_chroma_pred_mode. */
const CHROMA_DC: i32 = 0
const CHROMA_HORIZONTAL: i32 = 1
const CHROMA_VERTICAL: i32 = 2
const CHROMA_PLANE: i32 = 3

/** Sum of absolute differences between the source and the prediction of the chosen luma mode. */
export let lumaDifference: i32 = 0

let hasLeft: bool = false
let hasTop: bool = false

/**
 * Records the neighbors of the macroblock. They are missing at the left and top edges of the
 * picture.
 */
export function startIntra(column: i32, row: i32): void {
  hasLeft = column > 0
  hasTop = row > 0
}

/** Writes the best prediction of luma and returns its mode. */
export function predictLuma(column: i32, row: i32): i32 {
  const offset = row * 16 * stride + column * 16
  const target: usize = reconY + offset, source: usize = sourceY + row * 16 * sourceStride + column * 16
  let best = LUMA_DC
  writeLuma(target, LUMA_DC)
  lumaDifference = differenceLuma(source, target)
  if (hasTop) best = tryLuma(source, target, LUMA_VERTICAL, best)
  if (hasLeft) best = tryLuma(source, target, LUMA_HORIZONTAL, best)
  if (hasLeft && hasTop) best = tryLuma(source, target, LUMA_PLANE, best)
  writeLuma(target, best)
  return best
}

function tryLuma(source: usize, target: usize, mode: i32, best: i32): i32 {
  writeLuma(target, mode)
  const difference = differenceLuma(source, target)
  if (difference >= lumaDifference) return best
  lumaDifference = difference
  return mode
}

function differenceLuma(source: usize, target: usize): i32 {
  let sum = i16x8.splat(0)
  for (let row = 0; row < 16; row++) {
    sum = i16x8.add(sum, differences(v128.load(target), v128.load(source)))
    target += stride
    source += sourceStride
  }
  return totalOf(sum)
}

function writeLuma(target: usize, mode: i32): void {
  if (mode == LUMA_PLANE) return writePlane(target, stride, 16, 5)
  const top = target - stride
  let value = mode == LUMA_VERTICAL ? v128.load(top) : i8x16.splat(<i8>(mode == LUMA_DC ? meanLuma(target) : 0))
  for (let row = 0; row < 16; row++, target += stride) {
    if (mode == LUMA_HORIZONTAL) value = v128.load8_splat(target - 1)
    v128.store(target, value)
  }
}

function meanLuma(target: usize): i32 {
  if (!hasLeft && !hasTop) return 128
  let sum = 0
  if (hasTop) sum += totalOf(i16x8.extadd_pairwise_i8x16_u(v128.load(target - stride)))
  if (hasLeft) for (let row = 0; row < 16; row++) sum += load<u8>(target + row * stride - 1)
  return hasLeft && hasTop ? (sum + 16) >> 5 : (sum + 8) >> 4
}

/**
 * Writes a linear gradient that is fitted to the samples above and to the left. `size` is 16 with a
 * `factor` of 5, or 8 with a `factor` of 34.
 */
function writePlane(target: usize, rowStride: i32, size: i32, factor: i32): void {
  const top: usize = target - rowStride, half = size >> 1
  let across = 0, down = 0
  for (let i = 1; i <= half; i++) {
    across += i * (<i32>load<u8>(top + half - 1 + i) - <i32>load<u8>(top + half - 1 - i))
    down += i * (<i32>load<u8>(target + (half - 1 + i) * rowStride - 1) - <i32>load<u8>(target + (half - 1 - i) * rowStride - 1))
  }
  const slopeX = (factor * across + 32) >> 6, slopeY = (factor * down + 32) >> 6
  const corner = 16 * (<i32>load<u8>(target + (size - 1) * rowStride - 1) + <i32>load<u8>(top + size - 1)) + 16
  const ramp = i16x8.mul(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>slopeX))
  for (let row = 0; row < size; row++, target += rowStride) {
    const start = corner + slopeY * (row - half + 1) - slopeX * (half - 1)
    const first = i16x8.shr_s(i16x8.add(ramp, i16x8.splat(<i16>start)), 5)
    if (size == 8) {
      v128.store64_lane(target, i8x16.narrow_i16x8_u(first, first), 0)
    } else {
      const second = i16x8.shr_s(i16x8.add(ramp, i16x8.splat(<i16>(start + 8 * slopeX))), 5)
      v128.store(target, i8x16.narrow_i16x8_u(first, second))
    }
  }
}

/** Writes the best prediction of both chroma planes and returns its mode. */
export function predictChromaIntra(column: i32, row: i32): i32 {
  const offset = row * 8 * chromaStride + column * 8, sourceOffset = row * 8 * sourceChromaStride + column * 8
  let best = CHROMA_DC, least = differenceOf(CHROMA_DC, offset, sourceOffset)
  const first = hasLeft ? CHROMA_HORIZONTAL : CHROMA_VERTICAL, last = hasTop ? (hasLeft ? CHROMA_PLANE : CHROMA_VERTICAL) : hasLeft ? CHROMA_HORIZONTAL : CHROMA_DC
  for (let mode = first; mode <= last; mode++) {
    const difference = differenceOf(mode, offset, sourceOffset)
    if (difference < least) {
      least = difference
      best = mode
    }
  }
  writeChroma(reconU + offset, best)
  writeChroma(reconV + offset, best)
  return best
}

function differenceOf(mode: i32, offset: i32, sourceOffset: i32): i32 {
  writeChroma(reconU + offset, mode)
  writeChroma(reconV + offset, mode)
  return differenceChroma(reconU + offset, sourceU + sourceOffset) + differenceChroma(reconV + offset, sourceV + sourceOffset)
}

export function differenceChroma(target: usize, source: usize): i32 {
  let sum = i16x8.splat(0)
  for (let row = 0; row < 8; row++) {
    sum = i16x8.add(sum, i16x8.abs(i16x8.sub(v128.load8x8_u(target), v128.load8x8_u(source))))
    target += chromaStride
    source += sourceChromaStride
  }
  return totalOf(sum)
}

function writeChroma(target: usize, mode: i32): void {
  if (mode == CHROMA_PLANE) return writePlane(target, chromaStride, 8, 34)
  if (mode == CHROMA_DC) return writeChromaDc(target)
  const top = load<u64>(target - chromaStride)
  for (let row = 0; row < 8; row++, target += chromaStride) {
    store<u64>(target, mode == CHROMA_VERTICAL ? top : <u64>load<u8>(target - 1) * 0x0101010101010101)
  }
}

/**
 * Writes a mean for each of the four blocks. The top right block prefers the samples above, and the
 * bottom left block those to the left. The other two use both.
 */
function writeChromaDc(target: usize): void {
  const top = target - chromaStride
  for (let block = 0; block < 4; block++) {
    const columnOffset: usize = (block & 1) << 2, rowOffset: usize = (block >> 1) << 2
    let above = 0, beside = 0
    for (let i: usize = 0; i < 4; i++) {
      above += hasTop ? <i32>load<u8>(top + columnOffset + i) : 0
      beside += hasLeft ? <i32>load<u8>(target + (rowOffset + i) * chromaStride - 1) : 0
    }
    let mean: i32
    if (!hasTop && !hasLeft) mean = 128
    else if (!hasLeft || (block == 1 && hasTop)) mean = (above + 2) >> 2
    else if (!hasTop || block == 2) mean = (beside + 2) >> 2
    else mean = (above + beside + 4) >> 3
    for (let i: usize = 0; i < 4; i++) store<u32>(target + (rowOffset + i) * chromaStride + columnOffset, mean * 0x01010101)
  }
}

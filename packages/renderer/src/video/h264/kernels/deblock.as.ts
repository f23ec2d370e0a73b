// The deblocking filter (clause 8.7 of the H.264 standard). It runs over the whole coded picture.
import { highShorts, highWords, lowBytes, lowShorts, lowWords } from './interleave.as'
import {
  above, chromaStride, CODED_BLOCKS, entryAt, heightMbs, KIND, KIND_INTRA, leftOf, MOTION_X, MOTION_Y, QUANTIZER, reconU, reconV, reconY, stride, widthMbs,
} from './picture.as'
import { chromaQuantizer } from './quantizers.as'

/** Thresholds alpha and beta (table 8-16), by quantizer. */
const alphas = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113,
  127, 144, 162, 182, 203, 226, 255, 255,
])
const betas = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16,
  17, 17, 18, 18,
])
/**
 * Maximum change of a sample (table 8-17). One row for each strength from 1 to 3, with one limit
 * for each of the 52 quantizers.
 */
const clips = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 10, 11, 12, 13, 15, 17,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25,
])
/** Scratch buffer for a transposed 8x8 block: eight rows, `COLUMN_STRIDE` bytes apart. */
const columns = memory.data(128, 16)
const COLUMN_STRIDE: i32 = 16

/**
 * Filter strengths of the current edge, from 0 (none) to 4. Each of the four bytes applies to four
 * luma samples along the edge.
 */
let strengths: u32 = 0

export function deblock(): void {
  for (let row = 0; row < heightMbs; row++) {
    for (let column = 0; column < widthMbs; column++) deblockMacroblock(column, row)
  }
}

function deblockMacroblock(column: i32, row: i32): void {
  const entry = entryAt(column, row)
  const isIntra = load<u8>(entry, KIND) == KIND_INTRA
  const coded = <u32>load<u16>(entry, CODED_BLOCKS), quantizer = <i32>load<u8>(entry, QUANTIZER)
  const offset = row * 16 * stride + column * 16, chromaOffset = row * 8 * chromaStride + column * 8
  for (let edge = 0; edge < 4; edge++) {
    if (edge == 0 && column == 0) continue
    const neighbor = leftOf(entry)
    strengths = strengthsOf(entry, neighbor, isIntra, edge, columnOf(coded, edge), edge == 0 ? columnOf(load<u16>(neighbor, CODED_BLOCKS), 3) : columnOf(coded, edge - 1))
    if (strengths == 0) continue
    const other = edge == 0 ? <i32>load<u8>(neighbor, QUANTIZER) : quantizer
    filterColumns(reconY + offset + edge * 4, (quantizer + other + 1) >> 1)
    if (edge & 1) continue
    const chroma = (chromaQuantizer(quantizer) + chromaQuantizer(other) + 1) >> 1
    filterChromaColumns(reconU + chromaOffset + edge * 2, chroma)
    filterChromaColumns(reconV + chromaOffset + edge * 2, chroma)
  }
  for (let edge = 0; edge < 4; edge++) {
    if (edge == 0 && row == 0) continue
    const neighbor = above(entry)
    strengths = strengthsOf(entry, neighbor, isIntra, edge, rowOf(coded, edge), edge == 0 ? rowOf(load<u16>(neighbor, CODED_BLOCKS), 3) : rowOf(coded, edge - 1))
    if (strengths == 0) continue
    const other = edge == 0 ? <i32>load<u8>(neighbor, QUANTIZER) : quantizer
    const at: usize = reconY + offset + edge * 4 * stride, average = (quantizer + other + 1) >> 1
    filterLuma(at, stride, average, 0)
    filterLuma(at + 8, stride, average, 1)
    if (edge & 1) continue
    const chroma = (chromaQuantizer(quantizer) + chromaQuantizer(other) + 1) >> 1
    filterChroma(reconU + chromaOffset + edge * 2 * chromaStride, chromaStride, chroma)
    filterChroma(reconV + chromaOffset + edge * 2 * chromaStride, chromaStride, chroma)
  }
}

/** Expands the bits of the four blocks in a column to four bytes of 0 or 1. */
@inline
function columnOf(coded: u32, column: i32): u32 {
  const four = coded >> column
  return (four & 1) | ((four & 0x10) << 4) | ((four & 0x100) << 8) | ((four & 0x1000) << 12)
}

/** Expands the bits of the four blocks in a row to four bytes of 0 or 1. */
@inline
function rowOf(coded: u32, row: i32): u32 {
  const four = coded >> (row << 2)
  return (four & 1) | ((four & 2) << 7) | ((four & 4) << 14) | ((four & 8) << 21)
}

/** Returns the strengths of an edge (clause 8.7.2.1). */
@inline
function strengthsOf(entry: usize, neighbor: usize, isIntra: bool, edge: i32, own: u32, others: u32): u32 {
  if (edge > 0) return isIntra ? 0x03030303 : (own | others) << 1
  if (isIntra || load<u8>(neighbor, KIND) == KIND_INTRA) return 0x04040404
  const twos = (own | others) << 1
  const hasMoved = abs(<i32>load<i16>(entry, MOTION_X) - <i32>load<i16>(neighbor, MOTION_X)) >= 4 || abs(<i32>load<i16>(entry, MOTION_Y) - <i32>load<i16>(neighbor, MOTION_Y)) >= 4
  return hasMoved ? twos | (0x01010101 ^ (twos >> 1)) : twos
}

@inline
function clipOf(strength: i32, quantizer: i32): i32 {
  return strength == 0 ? 0 : load<u8>(clips + (strength - 1) * 52 + quantizer)
}

/** Repeats each of two values in four lanes. */
@inline
function splatPair(first: i32, second: i32): v128 {
  return v128.shuffle<i16>(i16x8.splat(<i16>first), i16x8.splat(<i16>second), 0, 1, 2, 3, 8, 9, 10, 11)
}

@inline
function isBelow(a: v128, b: v128, limit: v128): v128 {
  return i16x8.lt_s(i16x8.abs(i16x8.sub(a, b)), limit)
}

@inline
function clipped(value: v128, limit: v128): v128 {
  return i16x8.max_s(i16x8.min_s(value, limit), i16x8.neg(limit))
}

@inline
function storeEight(at: usize, value: v128): void {
  v128.store64_lane(at, i8x16.narrow_i16x8_u(value, value), 0)
}

/**
 * Filters eight samples along a horizontal edge above `at`. `half` selects two of the four
 * strengths.
 */
function filterLuma(at: usize, step: i32, quantizer: i32, half: i32): void {
  const two = half ? strengths >> 16 : strengths & 0xffff
  if (two == 0) return
  const alpha = i16x8.splat(load<u8>(alphas + quantizer)), beta = i16x8.splat(load<u8>(betas + quantizer))
  const p0 = v128.load8x8_u(at - step), q0 = v128.load8x8_u(at)
  const p1 = v128.load8x8_u(at - step * 2), q1 = v128.load8x8_u(at + step)
  const none = i16x8.splat(0)
  let filtered = v128.and(isBelow(p0, q0, alpha), v128.and(isBelow(p1, p0, beta), isBelow(q1, q0, beta)))
  filtered = v128.and(filtered, i16x8.gt_s(splatPair(two & 0xff, two >> 8), none))
  if (!v128.any_true(filtered)) return
  const p2 = v128.load8x8_u(at - step * 3), q2 = v128.load8x8_u(at + step * 2)
  const flatP = isBelow(p2, p0, beta), flatQ = isBelow(q2, q0, beta)
  if ((two & 4) != 0) {
    const p3 = v128.load8x8_u(at - step * 4), q3 = v128.load8x8_u(at + step * 3)
    const isSmall = isBelow(p0, q0, i16x8.add(i16x8.shr_u(alpha, 2), i16x8.splat(2)))
    const smoothP = v128.and(flatP, isSmall), smoothQ = v128.and(flatQ, isSmall)
    const p0q0 = i16x8.add(p0, q0), roundingFour = i16x8.splat(4), roundingTwo = i16x8.splat(2)
    const aP = i16x8.add(p0q0, p1), aQ = i16x8.add(p0q0, q1)
    const newP0 = v128.bitselect(
      i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(aP, 1), i16x8.add(p2, q1)), roundingFour), 3), i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(p1, 1), i16x8.add(p0, q1)), roundingTwo), 2), smoothP,
    )
    const newQ0 = v128.bitselect(
      i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(aQ, 1), i16x8.add(q2, p1)), roundingFour), 3), i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(q1, 1), i16x8.add(q0, p1)), roundingTwo), 2), smoothQ,
    )
    storeEight(at - step, v128.bitselect(newP0, p0, filtered))
    storeEight(at, v128.bitselect(newQ0, q0, filtered))
    const filteredP = v128.and(filtered, smoothP), filteredQ = v128.and(filtered, smoothQ)
    storeEight(at - step * 2, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(aP, p2), roundingTwo), 2), p1, filteredP))
    storeEight(at + step, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(aQ, q2), roundingTwo), 2), q1, filteredQ))
    storeEight(at - step * 3, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(i16x8.add(p3, p2), 1), i16x8.add(p2, aP)), roundingFour), 3), p2, filteredP))
    storeEight(at + step * 2, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(i16x8.add(q3, q2), 1), i16x8.add(q2, aQ)), roundingFour), 3), q2, filteredQ))
    return
  }
  const clip = splatPair(clipOf(two & 0xff, quantizer), clipOf(two >> 8, quantizer))
  const limit = i16x8.sub(i16x8.sub(clip, flatP), flatQ)
  const change = clipped(i16x8.shr_s(i16x8.add(i16x8.add(i16x8.shl(i16x8.sub(q0, p0), 2), i16x8.sub(p1, q1)), i16x8.splat(4)), 3), limit)
  storeEight(at - step, v128.bitselect(i16x8.add(p0, change), p0, filtered))
  storeEight(at, v128.bitselect(i16x8.sub(q0, change), q0, filtered))
  const middle = i16x8.avgr_u(p0, q0)
  const changeP = clipped(i16x8.shr_s(i16x8.sub(i16x8.add(p2, middle), i16x8.shl(p1, 1)), 1), clip)
  const changeQ = clipped(i16x8.shr_s(i16x8.sub(i16x8.add(q2, middle), i16x8.shl(q1, 1)), 1), clip)
  storeEight(at - step * 2, v128.bitselect(i16x8.add(p1, changeP), p1, v128.and(filtered, flatP)))
  storeEight(at + step, v128.bitselect(i16x8.add(q1, changeQ), q1, v128.and(filtered, flatQ)))
}

/** Filters eight chroma samples along an edge. Each strength applies to two samples. */
function filterChroma(at: usize, step: i32, quantizer: i32): void {
  const alpha = i16x8.splat(load<u8>(alphas + quantizer)), beta = i16x8.splat(load<u8>(betas + quantizer))
  const p0 = v128.load8x8_u(at - step), q0 = v128.load8x8_u(at)
  const p1 = v128.load8x8_u(at - step * 2), q1 = v128.load8x8_u(at + step)
  let filtered = v128.and(isBelow(p0, q0, alpha), v128.and(isBelow(p1, p0, beta), isBelow(q1, q0, beta)))
  const each = i16x8.extend_low_i8x16_u(i32x4.splat(strengths))
  const strength = v128.shuffle<i16>(each, each, 0, 0, 1, 1, 2, 2, 3, 3)
  filtered = v128.and(filtered, i16x8.gt_s(strength, i16x8.splat(0)))
  if (!v128.any_true(filtered)) return
  if ((strengths & 4) != 0) {
    const two = i16x8.splat(2)
    storeEight(at - step, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(p1, 1), i16x8.add(p0, q1)), two), 2), p0, filtered))
    storeEight(at, v128.bitselect(i16x8.shr_u(i16x8.add(i16x8.add(i16x8.shl(q1, 1), i16x8.add(q0, p1)), two), 2), q0, filtered))
    return
  }
  let clip = i16x8.splat(<i16>clipOf(1, quantizer))
  clip = v128.bitselect(i16x8.splat(<i16>clipOf(2, quantizer)), clip, i16x8.eq(strength, i16x8.splat(2)))
  clip = v128.bitselect(i16x8.splat(<i16>clipOf(3, quantizer)), clip, i16x8.eq(strength, i16x8.splat(3)))
  const limit = i16x8.add(clip, i16x8.splat(1))
  const change = clipped(i16x8.shr_s(i16x8.add(i16x8.add(i16x8.shl(i16x8.sub(q0, p0), 2), i16x8.sub(p1, q1)), i16x8.splat(4)), 3), limit)
  storeEight(at - step, v128.bitselect(i16x8.add(p0, change), p0, filtered))
  storeEight(at, v128.bitselect(i16x8.sub(q0, change), q0, filtered))
}

/** Transposes 8x8 bytes: eight rows at `from` to eight rows at `to`. */
@inline
function transpose(from: usize, fromStride: i32, to: usize, toStride: i32): void {
  const r0 = v128.load64_zero(from), r1 = v128.load64_zero(from + fromStride)
  const r2 = v128.load64_zero(from + fromStride * 2), r3 = v128.load64_zero(from + fromStride * 3)
  const r4 = v128.load64_zero(from + fromStride * 4), r5 = v128.load64_zero(from + fromStride * 5)
  const r6 = v128.load64_zero(from + fromStride * 6), r7 = v128.load64_zero(from + fromStride * 7)
  const a0 = lowBytes(r0, r1)
  const a1 = lowBytes(r2, r3)
  const a2 = lowBytes(r4, r5)
  const a3 = lowBytes(r6, r7)
  const b0 = lowShorts(a0, a1), b1 = highShorts(a0, a1)
  const b2 = lowShorts(a2, a3), b3 = highShorts(a2, a3)
  const c0 = lowWords(b0, b2), c1 = highWords(b0, b2)
  const c2 = lowWords(b1, b3), c3 = highWords(b1, b3)
  v128.store64_lane(to, c0, 0)
  v128.store64_lane(to + toStride, c0, 1)
  v128.store64_lane(to + toStride * 2, c1, 0)
  v128.store64_lane(to + toStride * 3, c1, 1)
  v128.store64_lane(to + toStride * 4, c2, 0)
  v128.store64_lane(to + toStride * 5, c2, 1)
  v128.store64_lane(to + toStride * 6, c3, 0)
  v128.store64_lane(to + toStride * 7, c3, 1)
}

/** Filters the 16 rows along the vertical edge to the left of `at`. */
function filterColumns(at: usize, quantizer: i32): void {
  for (let half = 0; half < 2; half++) {
    if ((half ? strengths >> 16 : strengths & 0xffff) == 0) continue
    const from: usize = at + half * 8 * stride - 4
    transpose(from, stride, columns, COLUMN_STRIDE)
    filterLuma(columns + 4 * COLUMN_STRIDE, COLUMN_STRIDE, quantizer, half)
    transpose(columns, COLUMN_STRIDE, from, stride)
  }
}

function filterChromaColumns(at: usize, quantizer: i32): void {
  transpose(at - 4, chromaStride, columns, COLUMN_STRIDE)
  filterChroma(columns + 4 * COLUMN_STRIDE, COLUMN_STRIDE, quantizer)
  transpose(columns, COLUMN_STRIDE, at - 4, chromaStride)
}

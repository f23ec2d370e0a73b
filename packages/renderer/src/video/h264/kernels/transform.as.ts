// The 4x4 transform of the residual (clause 8.5.12 of the H.264 standard) of two blocks side by
// side at a time, and the Hadamard transforms of DC coefficients. Coefficients are transposed: a
// vector holds one column of both blocks.
import { highHalves, highShorts, highWords, lowHalves, lowShorts, lowWords } from './interleave.as'
import { dcScale, dcStep, INTER_EVEN, INTER_ODD, INTRA_EVEN, INTRA_ODD, quantizerEntry, SCALE_EVEN, SCALE_ODD, STEP_EVEN, STEP_ODD } from './quantizers.as'
import { LEVEL_MAX } from './residual.as'

/**
 * Size of a pair of blocks. 64 bytes hold the transposed levels, with a column of both blocks in 16
 * bytes. Then each block has 32 bytes of levels in zigzag order.
 */
export const PAIR_BYTES: i32 = 128
export const ZIGZAG: i32 = 64

/**
 * A bit for each level of the last pair that is not zero. The left block is in the lower 16 bits,
 * the right block in the upper ones.
 */
let coded: u32 = 0
/** A bit for each level of the last pair whose absolute value is more than 1. */
let large: u32 = 0

@inline
export function codedOfPair(): u32 {
  return coded
}

@inline
export function largeOfPair(): u32 {
  return large
}

@inline
function difference(source: usize, prediction: usize): v128 {
  return i16x8.sub(v128.load8x8_u(source), v128.load8x8_u(prediction))
}

/**
 * Transforms and quantizes the difference of source and prediction, 8x4 samples, and stores it as a
 * pair. If `dc` is not 0, both DC coefficients are stored there unquantized, and are 0 in the pair.
 */
export function transformPair(pair: usize, source: usize, sourceStride: i32, prediction: usize, stride: i32, quantizer: i32, isIntra: bool, dc: usize): void {
  const r0 = difference(source, prediction)
  const r1 = difference(source + sourceStride, prediction + stride)
  const r2 = difference(source + sourceStride * 2, prediction + stride * 2)
  const r3 = difference(source + sourceStride * 3, prediction + stride * 3)
  let s03 = i16x8.add(r0, r3), d03 = i16x8.sub(r0, r3), s12 = i16x8.add(r1, r2), d12 = i16x8.sub(r1, r2)
  const v0 = i16x8.add(s03, s12), v1 = i16x8.add(i16x8.shl(d03, 1), d12), v2 = i16x8.sub(s03, s12), v3 = i16x8.sub(d03, i16x8.shl(d12, 1))
  // Transpose.
  const l0 = lowShorts(v0, v1), l1 = lowShorts(v2, v3)
  const h0 = highShorts(v0, v1), h1 = highShorts(v2, v3)
  const l01 = lowWords(l0, l1), l23 = highWords(l0, l1)
  const h01 = lowWords(h0, h1), h23 = highWords(h0, h1)
  const c0 = lowHalves(l01, h01), c1 = highHalves(l01, h01)
  const c2 = lowHalves(l23, h23), c3 = highHalves(l23, h23)
  s03 = i16x8.add(c0, c3)
  d03 = i16x8.sub(c0, c3)
  s12 = i16x8.add(c1, c2)
  d12 = i16x8.sub(c1, c2)
  let t0 = i16x8.add(s03, s12)
  const t1 = i16x8.add(i16x8.shl(d03, 1), d12), t2 = i16x8.sub(s03, s12), t3 = i16x8.sub(d03, i16x8.shl(d12, 1))
  if (dc != 0) {
    store<i16>(dc, i16x8.extract_lane_s(t0, 0))
    store<i16>(dc + 2, i16x8.extract_lane_s(t0, 4))
    t0 = i16x8.replace_lane(i16x8.replace_lane(t0, 0, 0), 4, 0)
  }
  quantizePair(pair, t0, t1, t2, t3, quantizerEntry(quantizer), isIntra)
}

@inline
function quantized(coefficients: v128, scale: v128, deadZone: v128): v128 {
  const sign = i16x8.shr_s(coefficients, 15)
  const size = i16x8.min_s(i16x8.q15mulr_sat_s(i16x8.sub_sat_u(i16x8.abs(coefficients), deadZone), scale), i16x8.splat(<i16>LEVEL_MAX))
  return i16x8.sub(v128.xor(size, sign), sign)
}

@inline
function bitsOf(low: v128, high: v128): u32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high))
}

@inline
function quantizePair(pair: usize, t0: v128, t1: v128, t2: v128, t3: v128, entry: usize, isIntra: bool): void {
  const even = v128.load(entry, SCALE_EVEN), odd = v128.load(entry, SCALE_ODD)
  const deadZoneEven = isIntra ? v128.load(entry, INTRA_EVEN) : v128.load(entry, INTER_EVEN)
  const deadZoneOdd = isIntra ? v128.load(entry, INTRA_ODD) : v128.load(entry, INTER_ODD)
  const q0 = quantized(t0, even, deadZoneEven), q1 = quantized(t1, odd, deadZoneOdd)
  const q2 = quantized(t2, even, deadZoneEven), q3 = quantized(t3, odd, deadZoneOdd)
  if (!v128.any_true(v128.or(v128.or(q0, q1), v128.or(q2, q3)))) {
    coded = 0
    large = 0
    return
  }
  v128.store(pair, q0)
  v128.store(pair, q1, 16)
  v128.store(pair, q2, 32)
  v128.store(pair, q3, 48)
  const a01 = lowHalves(q0, q1), a23 = lowHalves(q2, q3)
  const b01 = highHalves(q0, q1), b23 = highHalves(q2, q3)
  const aLow = v128.shuffle<i16>(a01, a23, 0, 4, 1, 2, 5, 8, 12, 9), aHigh = v128.shuffle<i16>(a01, a23, 6, 3, 7, 10, 13, 14, 11, 15)
  const bLow = v128.shuffle<i16>(b01, b23, 0, 4, 1, 2, 5, 8, 12, 9), bHigh = v128.shuffle<i16>(b01, b23, 6, 3, 7, 10, 13, 14, 11, 15)
  v128.store(pair, aLow, 64)
  v128.store(pair, aHigh, 80)
  v128.store(pair, bLow, 96)
  v128.store(pair, bHigh, 112)
  const none = i16x8.splat(0), one = i16x8.splat(1)
  coded = bitsOf(i16x8.ne(aLow, none), i16x8.ne(aHigh, none)) | (bitsOf(i16x8.ne(bLow, none), i16x8.ne(bHigh, none)) << 16)
  large = bitsOf(i16x8.gt_s(i16x8.abs(aLow), one), i16x8.gt_s(i16x8.abs(aHigh), one)) |
    (bitsOf(i16x8.gt_s(i16x8.abs(bLow), one), i16x8.gt_s(i16x8.abs(bHigh), one)) << 16)
}

@inline
function addResidual(target: usize, residual: v128): void {
  const sum = i16x8.add(v128.load8x8_u(target), i16x8.shr_s(i16x8.add(residual, i16x8.splat(32)), 6))
  v128.store64_lane(target, i8x16.narrow_i16x8_u(sum, sum), 0)
}

/**
 * Adds the residual that a decoder will add to the prediction in `target`. Without `hasLevels`, the
 * pair's levels are ignored. If `dc` is not 0, it is the address of both DC values, already scaled.
 */
export function reconstructPair(target: usize, stride: i32, pair: usize, quantizer: i32, hasLevels: bool, dc: usize): void {
  const entry = quantizerEntry(quantizer)
  const even = v128.load(entry, STEP_EVEN), odd = v128.load(entry, STEP_ODD)
  const keep = hasLevels ? i8x16.splat(-1) : i8x16.splat(0)
  let c0 = i16x8.mul(v128.and(v128.load(pair), keep), even)
  const c1 = i16x8.mul(v128.and(v128.load(pair, 16), keep), odd)
  const c2 = i16x8.mul(v128.and(v128.load(pair, 32), keep), even)
  const c3 = i16x8.mul(v128.and(v128.load(pair, 48), keep), odd)
  if (dc != 0) c0 = i16x8.replace_lane(i16x8.replace_lane(c0, 0, load<i16>(dc)), 4, load<i16>(dc + 2))
  let e0 = i16x8.add(c0, c2), e1 = i16x8.sub(c0, c2), e2 = i16x8.sub(i16x8.shr_s(c1, 1), c3), e3 = i16x8.add(c1, i16x8.shr_s(c3, 1))
  const x0 = i16x8.add(e0, e3), x1 = i16x8.add(e1, e2), x2 = i16x8.sub(e1, e2), x3 = i16x8.sub(e0, e3)
  const l0 = lowShorts(x0, x1), l1 = lowShorts(x2, x3)
  const h0 = highShorts(x0, x1), h1 = highShorts(x2, x3)
  const l01 = lowWords(l0, l1), l23 = highWords(l0, l1)
  const h01 = lowWords(h0, h1), h23 = highWords(h0, h1)
  const r0 = lowHalves(l01, h01), r1 = highHalves(l01, h01)
  const r2 = lowHalves(l23, h23), r3 = highHalves(l23, h23)
  e0 = i16x8.add(r0, r2)
  e1 = i16x8.sub(r0, r2)
  e2 = i16x8.sub(i16x8.shr_s(r1, 1), r3)
  e3 = i16x8.add(r1, i16x8.shr_s(r3, 1))
  addResidual(target, i16x8.add(e0, e3))
  addResidual(target + stride, i16x8.add(e1, e2))
  addResidual(target + stride * 2, i16x8.sub(e1, e2))
  addResidual(target + stride * 3, i16x8.sub(e0, e3))
}

@inline
function quantizedDc(value: i32, quantizer: i32, third: i32): i32 {
  const shift = 16 + quantizer / 6
  const size = min(LEVEL_MAX, (abs(value) * dcScale(quantizer) + third) >> shift)
  return value < 0 ? -size : size
}

/** Positions of a 4x4 block in zigzag order. */
const zigzag = memory.data<u8>([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15])

/**
 * Replaces four values by their Hadamard transform. A `shift` of 1 halves the results, because sums
 * of all sixteen values would not fit into 16 bits.
 */
@inline
function hadamard4(values: usize, step: usize, shift: i32): void {
  const a = <i32>load<i16>(values), b = <i32>load<i16>(values + step), c = <i32>load<i16>(values + step * 2), d = <i32>load<i16>(values + step * 3)
  store<i16>(values, (a + b + c + d + shift) >> shift)
  store<i16>(values + step, (a + b - c - d + shift) >> shift)
  store<i16>(values + step * 2, (a - b - c + d + shift) >> shift)
  store<i16>(values + step * 3, (a - b + c - d + shift) >> shift)
}

function hadamard16(values: usize, shift: i32): void {
  for (let row: usize = 0; row < 4; row++) hadamard4(values + row * 8, 2, 0)
  for (let column: usize = 0; column < 4; column++) hadamard4(values + column * 2, 8, shift)
}

/**
 * Transforms and quantizes the 16 DC coefficients of an Intra_16x16 macroblock. `levels` receives
 * the levels in zigzag order, `values` the scaled values. Returns the bits of levels that are not
 * zero.
 */
export function transformLumaDc(values: usize, levels: usize, quantizer: i32): u32 {
  hadamard16(values, 1)
  const third = (1 << (16 + quantizer / 6)) / 3
  let bits: u32 = 0
  for (let i = 0; i < 16; i++) {
    const address: usize = values + (<usize>load<u8>(zigzag + i) << 1)
    const level = quantizedDc(load<i16>(address), quantizer, third)
    store<i16>(levels + (i << 1), level)
    store<i16>(address, level)
    if (level != 0) bits |= 1 << i
  }
  hadamard16(values, 0)
  const octave = quantizer / 6
  for (let i = 0; i < 16; i++) {
    const address: usize = values + (i << 1)
    const scaled = <i32>load<i16>(address) * (dcStep(quantizer) << 4)
    store<i16>(address, octave >= 6 ? scaled << (octave - 6) : (scaled + (1 << (5 - octave))) >> (6 - octave))
  }
  return bits
}

/** Like `transformLumaDc`, for the four DC coefficients of a chroma plane. */
export function transformChromaDc(values: usize, levels: usize, quantizer: i32, isIntra: bool): u32 {
  hadamard2(values)
  const third = (1 << (16 + quantizer / 6)) / (isIntra ? 3 : 6)
  let bits: u32 = 0
  for (let i = 0; i < 4; i++) {
    const level = quantizedDc(load<i16>(values + (i << 1)), quantizer, third)
    store<i16>(levels + (i << 1), level)
    store<i16>(values + (i << 1), level)
    if (level != 0) bits |= 1 << i
  }
  if (bits == 0) return 0
  hadamard2(values)
  for (let i = 0; i < 4; i++) {
    const address: usize = values + (i << 1)
    store<i16>(address, ((<i32>load<i16>(address) * (dcStep(quantizer) << 4) << (quantizer / 6)) >> 5))
  }
  return bits
}

@inline
function hadamard2(values: usize): void {
  const a = <i32>load<i16>(values), b = <i32>load<i16>(values + 2), c = <i32>load<i16>(values + 4), d = <i32>load<i16>(values + 6)
  store<i16>(values, a + b + c + d)
  store<i16>(values + 2, a - b + c - d)
  store<i16>(values + 4, a + b - c - d)
  store<i16>(values + 6, a - b - c + d)
}

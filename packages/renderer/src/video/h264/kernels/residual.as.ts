// CAVLC: codes blocks of coefficients as bits (clause 9.2 of the H.264 standard).
import { putBits } from './bits.as'
import {
  chromaTokenBits, chromaTokenLengths, chromaZerosBits, chromaZerosLengths, runBits, runLengths, tokenBits, tokenLengths, zerosBits, zerosLengths,
} from './residual-tables.as'

/** Largest absolute level. The escape codes of the Baseline profile can represent it. */
export const LEVEL_MAX: i32 = 2000

/**
 * Codes a luma block or the AC part of a chroma block. `levels` is in zigzag order, and `coded` has
 * one bit for each level that is not zero. `context` is nC (contexts.as.ts). `blockSize` is the
 * number of coefficients in the block: 16, or 15 without DC.
 */
export function putBlock(levels: usize, coded: u32, blockSize: i32, context: i32): void {
  const row = context < 2 ? 0 : context < 4 ? 1 : context < 8 ? 2 : 3
  putCoefficients(levels, coded, blockSize, tokenLengths + row * 68, tokenBits + row * 68, zerosLengths, zerosBits, 4)
}

/** Codes the four DC coefficients of a chroma plane. */
export function putChromaDc(levels: usize, coded: u32): void {
  putCoefficients(levels, coded, 4, chromaTokenLengths, chromaTokenBits, chromaZerosLengths, chromaZerosBits, 2)
}

/**
 * Codes coefficients with these tables of coeff_token and of total_zeros. Rows of total_zeros have
 * 1 << `rowShift` entries.
 */
@inline
function putCoefficients(levels: usize, coded: u32, blockSize: i32, lengths: usize, bits: usize, lengthsOfZeros: usize, bitsOfZeros: usize, rowShift: i32): void {
  const total = <i32>popcnt(coded)
  const ones = trailingOnes(levels, coded)
  const token = total * 4 + ones
  putBits(load<u8>(bits + token), load<u8>(lengths + token))
  if (total == 0) return
  putLevels(levels, coded, total, ones)
  const zeros = 32 - <i32>clz(coded) - total
  if (total < blockSize) {
    const at = ((total - 1) << rowShift) + zeros
    putBits(load<u8>(bitsOfZeros + at), load<u8>(lengthsOfZeros + at))
  }
  putRuns(coded, zeros)
}

@inline
function levelAt(levels: usize, position: i32): i32 {
  return load<i16>(levels + (position << 1))
}

/** Returns the number of trailing coefficients that are 1 or -1, at most three. */
function trailingOnes(levels: usize, coded: u32): i32 {
  let ones = 0
  while (coded != 0 && ones < 3) {
    const position = 31 - <i32>clz(coded)
    if (abs(levelAt(levels, position)) != 1) break
    ones++
    coded ^= 1 << position
  }
  return ones
}

/**
 * Writes the signs of the trailing ones, then the levels (clauses 9.2.2.1, 7.3.5.3.2), from last to
 * first.
 */
function putLevels(levels: usize, coded: u32, total: i32, ones: i32): void {
  let left = coded, signs: u32 = 0
  for (let i = 0; i < ones; i++) {
    const position = 31 - <i32>clz(left)
    signs = (signs << 1) | (levelAt(levels, position) < 0 ? 1 : 0)
    left ^= 1 << position
  }
  if (ones > 0) putBits(signs, ones)
  let suffixBits = total > 10 && ones < 3 ? 1 : 0
  let isFirst = ones < 3
  while (left != 0) {
    const position = 31 - <i32>clz(left)
    left ^= 1 << position
    const level = levelAt(levels, position)
    let code = level > 0 ? 2 * level - 2 : -2 * level - 1
    if (isFirst) code -= 2
    isFirst = false
    putLevel(code, suffixBits)
    if (suffixBits == 0) suffixBits = 1
    if (abs(level) > 3 << (suffixBits - 1) && suffixBits < 6) suffixBits++
  }
}

@inline
function putLevel(code: i32, suffixBits: i32): void {
  if (suffixBits == 0) {
    if (code < 14) {
      putBits(1, code + 1)
    } else if (code < 30) {
      putBits(1, 15)
      putBits(code - 14, 4)
    } else {
      putBits(1, 16)
      putBits(code - 30, 12)
    }
  } else if (code < 15 << suffixBits) {
    putBits(1, (code >> suffixBits) + 1)
    putBits(code & ((1 << suffixBits) - 1), suffixBits)
  } else {
    putBits(1, 16)
    putBits(code - (15 << suffixBits), 12)
  }
}

/**
 * Writes the number of zeros before each coefficient, from last to first, until no zeros are left.
 */
function putRuns(coded: u32, zeros: i32): void {
  let position = 31 - <i32>clz(coded)
  while (zeros > 0) {
    coded ^= 1 << position
    if (coded == 0) return
    const before = 31 - <i32>clz(coded)
    const run = position - before - 1
    const at = ((min(zeros, 7) - 1) << 4) + run
    putBits(load<u8>(runBits + at), load<u8>(runLengths + at))
    zeros -= run
    position = before
  }
}

// Codes macroblocks: P_Skip, P_L0_16x16 and Intra_16x16 (clauses 7.3.5 and 7.4.5 of the H.264
// standard).
import { putSigned, putUnsigned } from './bits.as'
import { chooseQuantizer } from './choose-quantizer.as'
import { contextOfChroma, contextOfLuma } from './contexts.as'
import { differenceChroma, lumaDifference, predictChromaIntra, predictLuma, startIntra } from './intra.as'
import { findMotion, motionDifference, motionX, motionY, predictedX, predictedY, predictInter, skipX, skipY } from './motion.as'
import {
  chromaStride, CODED_BLOCKS, COEFFICIENT_COUNTS, entryAt, KIND, KIND_INTER, KIND_INTRA, MOTION_X, MOTION_Y, QUANTIZER, reconU, reconV, reconY, sourceChromaStride, sourceStride,
  sourceU, sourceV, sourceY, stride,
} from './picture.as'
import { chromaQuantizer } from './quantizers.as'
import { putBlock, putChromaDc } from './residual.as'
import { codedOfPair, largeOfPair, PAIR_BYTES, reconstructPair, transformChromaDc, transformLumaDc, transformPair, ZIGZAG } from './transform.as'

/** Eight pairs of luma blocks, row by row, then two pairs of each chroma plane. */
const pairs = memory.data(1536, 16)
const CHROMA_PAIRS: i32 = 8 * PAIR_BYTES
/** For each pair, a bit for each coefficient that is not zero. */
const codedPairs = memory.data(48, 16)
const LUMA_DC_VALUES = memory.data(32, 16)
const LUMA_DC_LEVELS = memory.data(32, 16)
/** Four values of each chroma plane. */
const CHROMA_DC_VALUES = memory.data(16, 16)
const CHROMA_DC_LEVELS = memory.data(16, 16)
/** For each chroma plane, a bit for each DC coefficient that is not zero. */
const chromaDcCoded = memory.data(8, 16)

/** codeNum of coded_block_pattern in inter macroblocks (table 9-4). */
const patternCodes = memory.data<u8>([
  0, 2, 3, 7, 4, 8, 17, 13, 5, 18, 9, 14, 10, 15, 16, 11, 1, 32, 33, 36, 34, 37, 44, 40, 35, 45, 38, 41, 39, 42, 43, 19,
  6, 24, 25, 20, 26, 21, 46, 28, 27, 47, 22, 29, 23, 30, 31, 12,
])
/** Score of a coefficient that is 1 or -1, by the number of zeros before it. */
const scoreAfterZeros = memory.data<u8>([3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])

// Thresholds of differences between source and prediction, in multiples of lambda, the cost of one
// bit.
/** Up to this difference, the prediction of luma is used unchanged. */
const NEGLIGIBLE: i32 = 40
/** Above this difference, intra prediction is tried too. */
const INTRA_TRIAL_MIN: i32 = 24 * NEGLIGIBLE
/** Up to this difference, the prediction of a chroma plane is used unchanged. */
const NEGLIGIBLE_CHROMA: i32 = 5
/** Extra cost of an intra macroblock, in bits. */
const INTRA_BITS: i32 = 16
/**
 * Minimum score of the coefficients of a quarter of luma, of all luma and of a chroma plane.
 * Coefficients with a lower score are not coded.
 */
const PART_SCORE_MIN: i32 = 4
const LUMA_SCORE_MIN: i32 = 6
const CHROMA_SCORE_MIN: i32 = 7

let isIntraPicture: bool = false
let pictureQuantizer: i32 = 0
/** Quantizer of this macroblock. */
let quantizer: i32 = 0
/** Quantizer of the previous macroblock. The difference from it is coded. */
let previousQuantizer: i32 = 0
let lambda: i32 = 0
let motionScale: i32 = 0
let skipped: i32 = 0
let entry: usize = 0
let lumaOffset: i32 = 0
let chromaOffset: i32 = 0
let source: usize = 0

export function startMacroblocks(quantizerOfPicture: i32, quantizerLambda: i32, scale: i32): void {
  isIntraPicture = scale == 0
  pictureQuantizer = quantizerOfPicture
  previousQuantizer = quantizerOfPicture
  lambda = quantizerLambda
  motionScale = scale
  skipped = 0
}

export function putMacroblock(column: i32, row: i32): void {
  entry = entryAt(column, row)
  lumaOffset = row * 16 * stride + column * 16
  chromaOffset = row * 8 * chromaStride + column * 8
  source = sourceY + row * 16 * sourceStride + column * 16
  memory.fill(entry, 0, 32)
  startIntra(column, row)
  if (isIntraPicture) {
    putIntra(column, row, predictLuma(column, row))
    return
  }
  const negligible = lambda * NEGLIGIBLE
  findMotion(entry, column, row, lambda, motionScale, negligible)
  if (motionDifference > lambda * INTRA_TRIAL_MIN) {
    const mode = predictLuma(column, row)
    if (lumaDifference + lambda * INTRA_BITS < motionDifference) {
      putIntra(column, row, mode)
      return
    }
  }
  putInter(column, row, motionDifference > negligible)
}

export function endMacroblocks(): void {
  if (skipped > 0) putUnsigned(skipped)
}

function putInter(column: i32, row: i32, hasResidual: bool): void {
  quantizer = chooseQuantizer(source, pictureQuantizer)
  predictInter()
  store<u8>(entry, KIND_INTER, KIND)
  store<i16>(entry, motionX, MOTION_X)
  store<i16>(entry, motionY, MOTION_Y)
  let pattern = hasResidual ? transformLuma() : 0
  const chroma = transformChroma(column, row, false)
  pattern |= chroma << 4
  if (pattern == 0 && motionX == skipX && motionY == skipY) {
    store<u8>(entry, previousQuantizer, QUANTIZER)
    skipped++
    return
  }
  putUnsigned(skipped)
  skipped = 0
  putUnsigned(0)
  putSigned(motionX - predictedX)
  putSigned(motionY - predictedY)
  putUnsigned(load<u8>(patternCodes + pattern))
  if (pattern == 0) {
    store<u8>(entry, previousQuantizer, QUANTIZER)
    return
  }
  putQuantizer()
  putLuma(pattern, 16)
  if (chroma > 0) putChroma(chroma)
}

/** Codes an intra macroblock whose luma is already predicted with this mode. */
function putIntra(column: i32, row: i32, mode: i32): void {
  store<u8>(entry, KIND_INTRA, KIND)
  quantizer = chooseQuantizer(source, pictureQuantizer)
  const chromaMode = predictChromaIntra(column, row)
  const dcBits = transformIntraLuma()
  const hasAc = load<u16>(entry, CODED_BLOCKS) != 0
  const chroma = transformChroma(column, row, true)
  if (!isIntraPicture) {
    putUnsigned(skipped)
    skipped = 0
  }
  putUnsigned((isIntraPicture ? 1 : 6) + mode + chroma * 4 + (hasAc ? 12 : 0))
  putUnsigned(chromaMode)
  putQuantizer()
  putBlock(LUMA_DC_LEVELS, dcBits, 16, contextOfLuma(entry, 0))
  if (hasAc) putLuma(15, 15)
  if (chroma > 0) putChroma(chroma)
}

@inline
function putQuantizer(): void {
  putSigned(quantizer - previousQuantizer)
  previousQuantizer = quantizer
  store<u8>(entry, quantizer, QUANTIZER)
}

/**
 * Codes the residual of luma and adds it to the picture. Returns the four lower bits of
 * coded_block_pattern.
 */
function transformLuma(): i32 {
  let pattern = 0, totalScore = 0
  for (let part = 0; part < 4; part++) {
    let score = 0
    for (let half = 0; half < 2; half++) {
      const pair = (part & 2) * 2 + half * 2 + (part & 1)
      score += transformLumaPair(pair)
    }
    if (score >= PART_SCORE_MIN) {
      pattern |= 1 << part
      totalScore += score
    }
  }
  if (totalScore < LUMA_SCORE_MIN) return 0
  for (let pair = 0; pair < 8; pair++) {
    const part = (pair >> 2) * 2 + (pair & 1)
    if ((pattern >> part) & 1) commitLumaPair(pair)
  }
  return pattern
}

@inline
function lumaTarget(pair: i32): usize {
  return reconY + lumaOffset + (pair >> 1) * 4 * stride + (pair & 1) * 8
}

/** Returns the score of the pair's coefficients. It is low if they are few and small. */
@inline
function transformLumaPair(pair: i32): i32 {
  const at = pairs + pair * PAIR_BYTES
  transformPair(at, source + (pair >> 1) * 4 * sourceStride + (pair & 1) * 8, sourceStride, lumaTarget(pair), stride, quantizer, false, 0)
  const coded = codedOfPair(), large = largeOfPair()
  store<u32>(codedPairs + (pair << 2), coded)
  if (coded == 0) return 0
  if (large != 0) return 9
  return scoreOf(coded & 0xffff) + scoreOf(coded >> 16)
}

function scoreOf(coded: u32): i32 {
  let score = 0
  while (coded != 0) {
    const position = 31 - <i32>clz(coded)
    coded ^= 1 << position
    const before = 31 - <i32>clz(coded)
    score += load<u8>(scoreAfterZeros + position - before - 1)
  }
  return score
}

/** Records a pair's coefficient counts and adds its residual to the picture. */
@inline
function commitLumaPair(pair: i32): void {
  const coded = load<u32>(codedPairs + (pair << 2))
  if (coded == 0) return
  recordCounts(pair, coded)
  reconstructPair(lumaTarget(pair), stride, pairs + pair * PAIR_BYTES, quantizer, true, 0)
}

@inline
function recordCounts(pair: i32, coded: u32): void {
  const left = coded & 0xffff, right = coded >> 16, block = pair << 1
  store<u8>(entry + block, popcnt(left), COEFFICIENT_COUNTS)
  store<u8>(entry + block + 1, popcnt(right), COEFFICIENT_COUNTS)
  store<u16>(entry, load<u16>(entry, CODED_BLOCKS) | ((<u32>(left != 0) | (<u32>(right != 0) << 1)) << block), CODED_BLOCKS)
}

/**
 * Codes luma of an Intra_16x16 macroblock. Returns the bits of its DC levels. CODED_BLOCKS of the
 * entry shows whether AC is coded.
 */
function transformIntraLuma(): u32 {
  let isCoded: u32 = 0
  for (let pair = 0; pair < 8; pair++) {
    transformPair(
      pairs + pair * PAIR_BYTES, source + (pair >> 1) * 4 * sourceStride + (pair & 1) * 8, sourceStride, lumaTarget(pair), stride, quantizer, true,
      LUMA_DC_VALUES + (pair << 2),
    )
    const coded = codedOfPair()
    store<u32>(codedPairs + (pair << 2), coded)
    isCoded |= coded
    if (coded != 0) recordCounts(pair, coded)
  }
  const bits = transformLumaDc(LUMA_DC_VALUES, LUMA_DC_LEVELS, quantizer)
  if (bits == 0 && isCoded == 0) return 0
  for (let pair = 0; pair < 8; pair++) {
    const hasLevels = load<u32>(codedPairs + (pair << 2)) != 0
    reconstructPair(lumaTarget(pair), stride, pairs + pair * PAIR_BYTES, quantizer, hasLevels, LUMA_DC_VALUES + (pair << 2))
  }
  return bits
}

/** Codes both chroma planes. Returns 0 (nothing), 1 (only DC) or 2 (DC and AC). */
function transformChroma(column: i32, row: i32, isIntra: bool): i32 {
  const offset = row * 8 * sourceChromaStride + column * 8
  const negligible = isIntra ? 0 : lambda * NEGLIGIBLE_CHROMA
  const u = transformChromaPlane(0, reconU + chromaOffset, sourceU + offset, isIntra, negligible)
  const v = transformChromaPlane(1, reconV + chromaOffset, sourceV + offset, isIntra, negligible)
  return max(u, v)
}

function transformChromaPlane(plane: i32, target: usize, from: usize, isIntra: bool, negligible: i32): i32 {
  const first = CHROMA_PAIRS + plane * 2 * PAIR_BYTES, own = chromaQuantizer(quantizer)
  const values = CHROMA_DC_VALUES + (plane << 3), levels = CHROMA_DC_LEVELS + (plane << 3), codedAddress = codedPairs + 32 + (plane << 3)
  store<u64>(codedAddress, 0)
  store<u32>(chromaDcCoded + (plane << 2), 0)
  if (negligible > 0 && differenceChroma(target, from) <= negligible) return 0
  let score = 0, isCoded: u32 = 0
  for (let pair = 0; pair < 2; pair++) {
    transformPair(
      pairs + first + pair * PAIR_BYTES, from + pair * 4 * sourceChromaStride, sourceChromaStride, target + pair * 4 * chromaStride, chromaStride, own, isIntra,
      values + (pair << 2),
    )
    const coded = codedOfPair()
    store<u32>(codedAddress + (pair << 2), coded)
    isCoded |= coded
    if (coded != 0) score += largeOfPair() != 0 ? 9 : scoreOf(coded & 0xffff) + scoreOf(coded >> 16)
  }
  if (!isIntra && score < CHROMA_SCORE_MIN) {
    store<u64>(codedAddress, 0)
    isCoded = 0
  }
  const bits = transformChromaDc(values, levels, own, isIntra)
  if (bits == 0 && isCoded == 0) return 0
  store<u32>(chromaDcCoded + (plane << 2), bits)
  if (bits == 0) store<u64>(values, 0)
  for (let pair = 0; pair < 2; pair++) {
    const coded = load<u32>(codedAddress + (pair << 2))
    const counts = entry + COEFFICIENT_COUNTS + 16 + plane * 4 + pair * 2
    store<u8>(counts, popcnt(coded & 0xffff))
    store<u8>(counts + 1, popcnt(coded >> 16))
    reconstructPair(target + pair * 4 * chromaStride, chromaStride, pairs + first + pair * PAIR_BYTES, own, coded != 0, values + (pair << 2))
  }
  return isCoded != 0 ? 2 : 1
}

/**
 * Writes the luma coefficients. `blockSize` is the number of coefficients in a block: 16, or 15 if
 * DC is coded separately.
 */
function putLuma(pattern: i32, blockSize: i32): void {
  for (let part = 0; part < 4; part++) {
    if (((pattern >> part) & 1) == 0) continue
    for (let half = 0; half < 2; half++) {
      const pair = (part & 2) * 2 + half * 2 + (part & 1)
      const coded = load<u32>(codedPairs + (pair << 2))
      putPair(pairs + pair * PAIR_BYTES, coded, blockSize, contextOfLuma(entry, pair * 2), 0)
      putPair(pairs + pair * PAIR_BYTES, coded, blockSize, contextOfLuma(entry, pair * 2 + 1), 1)
    }
  }
}

@inline
function putPair(pair: usize, coded: u32, blockSize: i32, context: i32, right: i32): void {
  const levels = pair + ZIGZAG + (right << 5), bits = right ? coded >> 16 : coded & 0xffff
  if (blockSize == 15) putBlock(levels + 2, bits >> 1, 15, context)
  else putBlock(levels, bits, 16, context)
}

function putChroma(chroma: i32): void {
  for (let plane = 0; plane < 2; plane++) {
    putChromaDc(CHROMA_DC_LEVELS + (plane << 3), load<u32>(chromaDcCoded + (plane << 2)))
  }
  if (chroma < 2) return
  for (let plane = 0; plane < 2; plane++) {
    for (let block = 0; block < 4; block++) {
      const pair = CHROMA_PAIRS + (plane * 2 + (block >> 1)) * PAIR_BYTES
      const coded = load<u32>(codedPairs + 32 + (plane << 3) + ((block >> 1) << 2))
      putPair(pairs + pair, coded, 15, contextOfChroma(entry, plane, block), block & 1)
    }
  }
}

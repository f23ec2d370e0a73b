// Motion of a macroblock: the prediction of its vector (clause 8.4.1), the search for a better
// vector, and the samples at the vector's position.
import { signedBits } from './bits.as'
import {
  above, chromaStride, previousEntry, halfBelow, halfRight, heightMbs, KIND, KIND_INTER, leftOf, MOTION_X, MOTION_Y, reconU, reconV, reconY,
  referenceU, referenceV, referenceY, rightOf, sourceStride, sourceY, stride, widthMbs,
} from './picture.as'
import { differences, totalOf } from './sums.as'

/** Distance by which motion may point outside the picture, in quarter samples. */
const REACH: i32 = 24 << 2
/**
 * Limits of vectors, in quarter samples (table A-1, from level 3 on). The horizontal limit is half
 * of what the table allows.
 */
const ACROSS_MAX: i32 = 4095
const DOWN_MAX: i32 = 1020
const UNUSABLE: i32 = 0x3fffffff

/**
 * Quarter-sample positions that need the sample in the middle of four others, which is not stored:
 * 2,1 1,2 2,2 3,2 2,3.
 */
const missingPositions: u32 = (1 << 6) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 14)
/** For each other position, the two planes whose mean is used, as offsets from the reference. */
const planesOfPosition = memory.data(128, 16)

export let predictedX: i32 = 0
export let predictedY: i32 = 0
/** Motion of a skipped macroblock. */
export let skipX: i32 = 0
export let skipY: i32 = 0
export let motionX: i32 = 0
export let motionY: i32 = 0
/** Sum of absolute differences of the best vector, over every second row and doubled. */
export let motionDifference: i32 = 0

let x: i32 = 0
let y: i32 = 0
let source: usize = 0
let target: usize = 0
let lambda: i32 = 0
let bestCost: i32 = 0
let bestX: i32 = 0
let bestY: i32 = 0
let bestDifference: i32 = 0

@inline
function setPlanes(fourthX: i32, fourthY: i32, first: usize, second: usize): void {
  const at = planesOfPosition + ((fourthY * 4 + fourthX) << 3)
  store<i32>(at, <i32>(first - referenceY))
  store<i32>(at + 4, <i32>(second - referenceY))
}

/** Prepares the planes for the current reference. Called once for each picture. */
export function startMotion(): void {
  const right = halfRight, below = halfBelow, whole = referenceY
  setPlanes(0, 0, whole, whole)
  setPlanes(1, 0, whole, right)
  setPlanes(2, 0, right, right)
  setPlanes(3, 0, right, whole + 1)
  setPlanes(0, 1, whole, below)
  setPlanes(0, 2, below, below)
  setPlanes(0, 3, below, whole + stride)
  setPlanes(1, 1, right, below)
  setPlanes(3, 1, right, below + 1)
  setPlanes(1, 3, below, right + stride)
  setPlanes(3, 3, below + 1, right + stride)
}

@inline
function isUsable(vectorX: i32, vectorY: i32): bool {
  const position = ((vectorY & 3) << 2) | (vectorX & 3)
  const fromX = (x << 2) + vectorX, fromY = (y << 2) + vectorY
  return ((missingPositions >> position) & 1) == 0 && abs(vectorX) <= ACROSS_MAX && abs(vectorY) <= DOWN_MAX &&
    fromX >= -REACH && fromY >= -REACH && fromX <= (widthMbs << 6) + REACH - 64 && fromY <= (heightMbs << 6) + REACH - 64
}

@inline
function referenceAt(vectorX: i32, vectorY: i32): usize {
  return referenceY + (y + (vectorY >> 2)) * stride + x + (vectorX >> 2)
}

@inline
function planePairAt(vectorX: i32, vectorY: i32): usize {
  return planesOfPosition + (((vectorY & 3) << 5) | ((vectorX & 3) << 3))
}

/** Returns the sum of absolute differences over every second row, doubled. */
function differenceAt(vectorX: i32, vectorY: i32): i32 {
  const from = referenceAt(vectorX, vectorY), pair = planePairAt(vectorX, vectorY)
  let first: usize = from + load<i32>(pair), second: usize = from + load<i32>(pair, 4), own = source
  let sum = i16x8.splat(0)
  const step: usize = stride << 1, ownStep: usize = sourceStride << 1
  for (let row = 0; row < 8; row++) {
    sum = i16x8.add(sum, differences(i8x16.avgr_u(v128.load(first), v128.load(second)), v128.load(own)))
    first += step
    second += step
    own += ownStep
  }
  return totalOf(sum) << 1
}

@inline
function tryVector(vectorX: i32, vectorY: i32): void {
  if ((vectorX == bestX && vectorY == bestY) || !isUsable(vectorX, vectorY)) return
  const rate = lambda * (signedBits(vectorX - predictedX) + signedBits(vectorY - predictedY))
  if (rate >= bestCost) return
  const difference = differenceAt(vectorX, vectorY)
  if (difference + rate < bestCost) {
    bestCost = difference + rate
    bestDifference = difference
    bestX = vectorX
    bestY = vectorY
  }
}

@inline
function median(a: i32, b: i32, c: i32): i32 {
  return max(min(a, b), min(max(a, b), c))
}

/** Predicts the vector of a macroblock from its neighbors' (clauses 8.4.1.1 and 8.4.1.3). */
function predict(entry: usize): void {
  const left = leftOf(entry), top = above(entry)
  let corner = rightOf(top)
  if (load<u8>(corner, KIND) == 0) corner = leftOf(top)
  const leftKind = load<u8>(left, KIND), topKind = load<u8>(top, KIND), cornerKind = load<u8>(corner, KIND)
  const leftX = <i32>load<i16>(left, MOTION_X), leftY = <i32>load<i16>(left, MOTION_Y)
  const topX = <i32>load<i16>(top, MOTION_X), topY = <i32>load<i16>(top, MOTION_Y)
  const cornerX = <i32>load<i16>(corner, MOTION_X), cornerY = <i32>load<i16>(corner, MOTION_Y)
  const interCount = <i32>(leftKind == KIND_INTER) + <i32>(topKind == KIND_INTER) + <i32>(cornerKind == KIND_INTER)
  if ((topKind == 0 && cornerKind == 0) || (interCount == 1 && leftKind == KIND_INTER)) {
    predictedX = leftX
    predictedY = leftY
  } else if (interCount == 1) {
    predictedX = topKind == KIND_INTER ? topX : cornerX
    predictedY = topKind == KIND_INTER ? topY : cornerY
  } else {
    predictedX = median(leftX, topX, cornerX)
    predictedY = median(leftY, topY, cornerY)
  }
  const isStill = leftKind == 0 || topKind == 0 ||
    (leftKind == KIND_INTER && (leftX | leftY) == 0) || (topKind == KIND_INTER && (topX | topY) == 0)
  skipX = isStill ? 0 : predictedX
  skipY = isStill ? 0 : predictedY
}

/**
 * Finds a vector for the macroblock. A vector of the previous picture times `scale` / 2 is the same
 * motion over the distance to this picture's reference. The search ends early with a difference of
 * at most `negligible`, because no luma would be coded.
 */
export function findMotion(entry: usize, column: i32, row: i32, quantizerLambda: i32, scale: i32, negligible: i32): void {
  x = column << 4
  y = row << 4
  lambda = quantizerLambda
  source = sourceY + y * sourceStride + x
  target = reconY + y * stride + x
  predict(entry)
  bestX = skipX
  bestY = skipY
  if (isUsable(skipX, skipY)) {
    bestDifference = differenceAt(skipX, skipY)
    bestCost = bestDifference
    if (bestDifference <= negligible) return storeBest()
  } else {
    bestCost = UNUSABLE
  }
  const before = previousEntry(entry), left = leftOf(entry), top = above(entry)
  tryVector(predictedX, predictedY)
  tryVector(((<i32>load<i16>(before, MOTION_X)) * scale) >> 1, ((<i32>load<i16>(before, MOTION_Y)) * scale) >> 1)
  tryVector(load<i16>(left, MOTION_X), load<i16>(left, MOTION_Y))
  tryVector(load<i16>(top, MOTION_X), load<i16>(top, MOTION_Y))
  tryVector(load<i16>(rightOf(top), MOTION_X), load<i16>(rightOf(top), MOTION_Y))
  if (bestCost > negligible) {
    tryVector(0, 0)
    if (bestCost > 8 * negligible) refineFar()
    refine(2, 3)
    refine(1, 2)
  }
  storeBest()
}

@inline
function storeBest(): void {
  motionX = bestX
  motionY = bestY
  motionDifference = bestDifference
}

/** Searches whole samples in decreasing steps. */
function refineFar(): void {
  tryVector((bestX + 2) & ~3, (bestY + 2) & ~3)
  refine(32, 2)
  refine(16, 2)
  refine(8, 2)
  refine(4, 2)
}

/**
 * Moves to the best neighbor at a distance of `step` quarter samples, until no neighbor is better,
 * but at most `timesMax` times. Diagonal neighbors are tried only at step 1.
 */
function refine(step: i32, timesMax: i32): void {
  for (let i = 0; i < timesMax; i++) {
    const centerX = bestX, centerY = bestY
    tryVector(centerX - step, centerY)
    tryVector(centerX + step, centerY)
    tryVector(centerX, centerY - step)
    tryVector(centerX, centerY + step)
    if (step == 1) {
      tryVector(centerX - 1, centerY - 1)
      tryVector(centerX + 1, centerY - 1)
      tryVector(centerX - 1, centerY + 1)
      tryVector(centerX + 1, centerY + 1)
    }
    if (bestX == centerX && bestY == centerY) return
  }
}

/** Writes the samples at the vector's position into the picture under construction. */
export function predictInter(): void {
  const from = referenceAt(motionX, motionY), pair = planePairAt(motionX, motionY)
  let first: usize = from + load<i32>(pair), second: usize = from + load<i32>(pair, 4), to = target
  for (let row = 0; row < 16; row++) {
    v128.store(to, i8x16.avgr_u(v128.load(first), v128.load(second)))
    first += stride
    second += stride
    to += stride
  }
  const offset = (y >> 1) * chromaStride + (x >> 1)
  const chromaFrom = offset + (motionY >> 3) * chromaStride + (motionX >> 3)
  predictChroma(reconU + offset, referenceU + chromaFrom)
  predictChroma(reconV + offset, referenceV + chromaFrom)
}

/** Predicts chroma as a weighted mean at eighths of a sample (clause 8.4.2.2.2). */
@inline
function predictChroma(to: usize, from: usize): void {
  const eighthX = motionX & 7, eighthY = motionY & 7
  if ((eighthX | eighthY) == 0) {
    for (let row = 0; row < 8; row++) {
      store<u64>(to, load<u64>(from))
      to += chromaStride
      from += chromaStride
    }
    return
  }
  const right = i16x8.splat(<i16>eighthX), left = i16x8.splat(<i16>(8 - eighthX))
  const below = i16x8.splat(<i16>eighthY), top = i16x8.splat(<i16>(8 - eighthY)), half = i16x8.splat(32)
  let upper = i16x8.add(i16x8.mul(v128.load8x8_u(from), left), i16x8.mul(v128.load8x8_u(from, 1), right))
  for (let row = 0; row < 8; row++) {
    from += chromaStride
    const lower = i16x8.add(i16x8.mul(v128.load8x8_u(from), left), i16x8.mul(v128.load8x8_u(from, 1), right))
    const sum = i16x8.shr_u(i16x8.add(i16x8.add(i16x8.mul(upper, top), i16x8.mul(lower, below)), half), 6)
    v128.store64_lane(to, i8x16.narrow_i16x8_u(sum, sum), 0)
    upper = lower
    to += chromaStride
  }
}

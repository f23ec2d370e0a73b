// Smooth macroblocks get a finer quantizer, because block edges are visible in them. They take few
// bits.
import { sourceStride } from './picture.as'
import { differences, totalOf } from './sums.as'

/** With a lower quantizer, levels could exceed the range of their codes. */
const QUANTIZER_MIN: i32 = 10

/**
 * Chooses the quantizer of the source's macroblock at `from` by the mean absolute deviation of
 * luma, computed from every second row.
 */
export function chooseQuantizer(from: usize, pictureQuantizer: i32): i32 {
  const step: usize = sourceStride << 1
  let sum = i16x8.splat(0), at = from
  for (let row = 0; row < 8; row++, at += step) sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(v128.load(at)))
  const mean = i8x16.splat(<i8>((totalOf(sum) + 64) >> 7))
  let spread = i16x8.splat(0)
  at = from
  for (let row = 0; row < 8; row++, at += step) spread = i16x8.add(spread, differences(v128.load(at), mean))
  const deviation = totalOf(spread) >> 7
  return max(QUANTIZER_MIN, pictureQuantizer - (deviation < 2 ? 6 : deviation < 4 ? 4 : deviation < 8 ? 2 : 0))
}

// nC, which selects the code tables of a block (clause 9.2.1 of the H.264 standard): the mean of
// the numbers of coefficients in the blocks to the left and above.
import { above, COEFFICIENT_COUNTS, KIND, leftOf } from './picture.as'

/** Returns nC of a luma block. `block` is its number in the macroblock, row by row. */
export function contextOfLuma(entry: usize, block: i32): i32 {
  const left = leftOf(entry), top = above(entry)
  const hasLeft = (block & 3) != 0 || load<u8>(left, KIND) != 0, hasTop = block >= 4 || load<u8>(top, KIND) != 0
  const leftCount = !hasLeft ? 0 : <i32>load<u8>((block & 3) != 0 ? entry + block - 1 : left + block + 3, COEFFICIENT_COUNTS)
  const topCount = !hasTop ? 0 : <i32>load<u8>(block >= 4 ? entry + block - 4 : top + block + 12, COEFFICIENT_COUNTS)
  return hasLeft && hasTop ? (leftCount + topCount + 1) >> 1 : leftCount + topCount
}

export function contextOfChroma(entry: usize, plane: i32, block: i32): i32 {
  const first = COEFFICIENT_COUNTS + 16 + plane * 4
  const left = leftOf(entry), top = above(entry)
  const hasLeft = (block & 1) != 0 || load<u8>(left, KIND) != 0, hasTop = block >= 2 || load<u8>(top, KIND) != 0
  const leftCount = !hasLeft ? 0 : <i32>load<u8>(((block & 1) != 0 ? entry + block - 1 : left + block + 1) + first)
  const topCount = !hasTop ? 0 : <i32>load<u8>((block >= 2 ? entry + block - 2 : top + block + 2) + first)
  return hasLeft && hasTop ? (leftCount + topCount + 1) >> 1 : leftCount + topCount
}

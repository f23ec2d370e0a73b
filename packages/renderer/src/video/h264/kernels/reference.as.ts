// Prepares the reconstructed picture as a reference: fills its border, and interpolates luma
// between the samples (clause 8.4.2.2.1 of the H.264 standard).
import {
  CHROMA_BORDER, chromaStride, halfBelow, halfRight, heightMbs, LUMA_BORDER, referenceU, referenceV, referenceY, sourceChromaStride, sourceStride, stride,
} from './picture.as'

export function prepareReference(): void {
  extend(referenceY, stride, sourceStride, heightMbs << 4, LUMA_BORDER)
  extend(referenceU, chromaStride, sourceChromaStride, heightMbs << 3, CHROMA_BORDER)
  extend(referenceV, chromaStride, sourceChromaStride, heightMbs << 3, CHROMA_BORDER)
  interpolate()
}

function extend(plane: usize, strideBytes: i32, width: i32, rows: i32, border: i32): void {
  for (let y = 0; y < rows; y++) {
    const row: usize = plane + y * strideBytes
    memory.fill(row - border, load<u8>(row), border)
    memory.fill(row + width, load<u8>(row + width - 1), border)
  }
  const first = plane - border, last = plane + (rows - 1) * strideBytes - border
  for (let y = 1; y <= border; y++) {
    memory.copy(first - y * strideBytes, first, strideBytes)
    memory.copy(last + y * strideBytes, last, strideBytes)
  }
}

/**
 * Returns eight results of the filter 1, -5, 20, 20, -5, 1, times 32, with 16 added for rounding.
 */
@inline
function filtered(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  const near = i16x8.add(c, d), far = i16x8.add(b, e)
  // 20 near - 5 far = 5 (4 near - far)
  const middle = i16x8.sub(i16x8.shl(near, 2), far)
  return i16x8.add(i16x8.add(i16x8.add(a, f), i16x8.splat(16)), i16x8.add(middle, i16x8.shl(middle, 2)))
}

@inline
function filteredAt(at: usize, step: usize): v128 {
  return i16x8.shr_s(
    filtered(v128.load8x8_u(at - step * 2), v128.load8x8_u(at - step), v128.load8x8_u(at), v128.load8x8_u(at + step), v128.load8x8_u(at + step * 2), v128.load8x8_u(at + step * 3)),
    5,
  )
}

/**
 * Interpolates all samples that motion may point to. The three outermost rows of the border lack
 * neighbors and are omitted.
 */
function interpolate(): void {
  const rows = (heightMbs << 4) + LUMA_BORDER - 3
  const width = sourceStride + LUMA_BORDER
  const offsetBelow: usize = stride
  for (let y = 3 - LUMA_BORDER; y < rows; y++) {
    const offset: usize = y * stride
    for (let x = -LUMA_BORDER; x < width; x += 16) {
      const at: usize = referenceY + offset + x
      v128.store(halfRight + offset + x, i8x16.narrow_i16x8_u(filteredAt(at, 1), filteredAt(at + 8, 1)))
      v128.store(halfBelow + offset + x, i8x16.narrow_i16x8_u(filteredAt(at, offsetBelow), filteredAt(at + 8, offsetBelow)))
    }
  }
}

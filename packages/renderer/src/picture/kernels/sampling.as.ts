// Horizontal bilinear sampling by table. For each block of 8 results, the table holds the byte
// offset of a 16-byte window in the source row, 8 positions in this window and 8 weights. A block
// takes the same time for any shift and scale.

/**
 * Target rows of a kernel, and the positions of their samples in the source. The host fills these
 * twelve words before a call.
 */
@unmanaged
export class Span {
  target: usize
  targetStride: i32
  rowFirst: i32
  rowEnd: i32
  blocks: i32
  sourceY: i32 // source row of destination row 0, in 16.16
  sourceStepY: i32
  tableOffsets: usize
  tablePositions: usize
  tableWeights: usize
  rowCache: usize // four rows of ROW_CACHE_BYTES
  runs: usize // space for 512 runs of 8 bytes
}

/** Size of one cached row: 4,096 samples of 16 bits and 64 unused bytes. */
export const ROW_CACHE_BYTES: usize = 8256

/**
 * Fills a sampling table. `start` and `step` are source samples in 16.16. `sampleBytes` is 1
 * (layers) or 2 (textures).
 */
export function buildSamplingTable(offsets: usize, positions: usize, weights: usize, blocks: i32, start: i32, step: i32, sourceWidth: i32, sampleBytes: i32): void {
  const window = sampleBytes == 1 ? 16 : 8
  for (let block = 0; block < blocks; block++) {
    const first = max(0, min(sourceWidth - window, (start + block * 8 * step) >> 16))
    store<u32>(offsets + (block << 2), first * sampleBytes)
    for (let lane = 0; lane < 8; lane++) {
      const position = start + (block * 8 + lane) * step
      let windowIndex = (position >> 16) - first
      let weight = (position & 0xffff) >> 1
      if (windowIndex < 0) { windowIndex = 0; weight = 0 }
      if (windowIndex > window - 2) { windowIndex = window - 2; weight = 32767 }
      const entry = positions + (block << 4)
      if (sampleBytes == 1) {
        store<u8>(entry + lane, windowIndex)
        store<u8>(entry + 8 + lane, windowIndex + 1)
      } else {
        store<u8>(entry + 2 * lane, 2 * windowIndex)
        store<u8>(entry + 2 * lane + 1, 2 * windowIndex + 1)
      }
      store<i16>(weights + (block << 4) + 2 * lane, <i16>weight)
    }
  }
}

/** Computes `from + (to - from) * weight` for 15-bit weights. */
@inline
export function lerp(from: v128, to: v128, weight: v128): v128 {
  return i16x8.add(from, i16x8.q15mulr_sat_s(i16x8.sub(to, from), weight))
}

/** Resamples the blocks from `first` to `end` of a row of 8-bit samples into 16-bit samples. */
@inline
export function sampleRow8(row: usize, source: usize, span: Span, first: i32, end: i32): void {
  const offsets = span.tableOffsets, positions = span.tablePositions, weights = span.tableWeights
  for (let block = first; block < end; block++) {
    const pairs = i8x16.swizzle(v128.load(source + load<u32>(offsets + (block << 2))), v128.load(positions + (block << 4)))
    const left = i16x8.shl(i16x8.extend_low_i8x16_u(pairs), 7)
    const right = i16x8.shl(i16x8.extend_high_i8x16_u(pairs), 7)
    v128.store(row + (block << 4), lerp(left, right, v128.load(weights + (block << 4))))
  }
}

/** Resamples one row of 16-bit samples. */
@inline
export function sampleRow16(row: usize, source: usize, span: Span): void {
  const offsets = span.tableOffsets, positions = span.tablePositions, weights = span.tableWeights, blocks = span.blocks
  const nextSample = i8x16.splat(2)
  for (let block = 0; block < blocks; block++) {
    const window = v128.load(source + load<u32>(offsets + (block << 2)))
    const position = v128.load(positions + (block << 4))
    const left = i8x16.swizzle(window, position)
    const right = i8x16.swizzle(window, i8x16.add(position, nextSample))
    v128.store(row + (block << 4), lerp(left, right, v128.load(weights + (block << 4))))
  }
}

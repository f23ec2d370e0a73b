// Draws layers (8-bit, with alpha) and textures (small, 16-bit) onto the working planes, with
// bilinear interpolation. Two horizontally resampled rows are cached, so that most target rows need
// at most one new row.
import { lerp, ROW_CACHE_BYTES, sampleRow8, sampleRow16, Span } from './sampling.as'

// A layer is mapped in tiles of 16x16 samples, because most of it is either empty or solid. An
// empty tile needs no work. A solid tile hides everything below it and needs no alpha.
const EMPTY: u8 = 0, MIXED: u8 = 1, SOLID: u8 = 2

/**
 * Stores the kind of each tile of an alpha plane. The kind also depends on the two rows below the
 * tile, because its last rows are interpolated with them.
 */
export function mapTiles(tiles: usize, alpha: usize, width: i32, height: i32): void {
  const columns = (width + 15) >> 4
  for (let top = 0; top < height; top += 16) {
    const bottom = min(height, top + 18)
    for (let column = 0; column < columns; column++, tiles++) {
      const left = column << 4, across = min(16, width - left)
      let some: u8 = 0, every: u8 = 255
      for (let y = top; y < bottom; y++) {
        const row: usize = alpha + y * width + left
        for (let x = 0; x < across; x++) {
          const sample = load<u8>(row + x)
          some |= sample
          every &= sample
        }
      }
      store<u8>(tiles, some == 0 ? EMPTY : every == 255 ? SOLID : MIXED)
    }
  }
}

/**
 * Lists the runs of adjacent blocks of the same kind, without the empty ones. An entry is u16
 * first, u16 end, u32 kind. Returns the end address of the list.
 */
@inline
function findRuns(span: Span, tileRow: usize, tileShift: i32, lastTile: i32, canBeSolid: bool): usize {
  let list = span.runs, runKind = EMPTY
  for (let block = 0; block < span.blocks; block++) {
    const from = load<i32>(span.tableOffsets + (block << 2))
    const end = min(lastTile, (from + 15) >> tileShift)
    let tile = min(lastTile, from >> tileShift)
    let kind = load<u8>(tileRow + tile)
    for (tile++; tile <= end; tile++) if (load<u8>(tileRow + tile) != kind) kind = MIXED
    if (kind == SOLID && !canBeSolid) kind = MIXED
    if (kind != runKind && kind != EMPTY) {
      store<u16>(list, block)
      store<u32>(list, kind, 4)
      list += 8
    }
    if (kind != EMPTY) store<u16>(list - 6, block + 1)
    runKind = kind
  }
  return list
}

/**
 * Composes one premultiplied plane source-over. Source-over commutes with the YUV matrix, so it
 * also holds for U and V, whose +128 offset is premultiplied. A tile is `1 << tileShift` samples of
 * this plane wide and high.
 */
export function composeLayer(span: Span, color: usize, alpha: usize, stride: i32, height: i32, tiles: usize, tileColumns: i32, tileShift: i32, opacity: i32): void {
  const targetStride = span.targetStride, rowEnd = span.rowEnd, runs = span.runs
  const fade = i16x8.splat(<i16>opacity), full = i16x8.splat(32767)
  let upper = span.rowCache, lower = span.rowCache + 2 * ROW_CACHE_BYTES
  let upperRow = -1, lowerRow = -1, tileRow = -1, runsEnd = runs
  for (let y = span.rowFirst; y < rowEnd; y++) {
    const position = span.sourceY + y * span.sourceStepY
    let row = position >> 16, fraction = (position & 0xffff) >> 1
    if (row < -1) continue
    if (row < 0) { row = 0; fraction = 0 }
    if (row > height - 2) { row = height - 2; fraction = 32767 }
    if (row >> tileShift != tileRow) {
      tileRow = row >> tileShift
      runsEnd = findRuns(span, tiles + tileRow * tileColumns, tileShift, tileColumns - 1, opacity >= 32767)
      // Cached rows hold only the samples of earlier runs.
      upperRow = lowerRow = -1
    }
    if (runsEnd == runs) continue
    let rowsToSample = 0
    if (upperRow != row) {
      if (lowerRow == row) {
        const swap = upper
        upper = lower
        lower = swap
      } else rowsToSample = 1
      upperRow = row
      lowerRow = -1
    }
    if (lowerRow != row + 1) rowsToSample |= 2
    lowerRow = row + 1
    const weight = i16x8.splat(<i16>fraction)
    const source: usize = row * stride
    for (let run = runs; run < runsEnd; run += 8) {
      const first = <i32>load<u16>(run), end = <i32>load<u16>(run, 2)
      const isSolid = load<u32>(run, 4) == SOLID
      if (rowsToSample & 1) sampleRow8(upper, color + source, span, first, end)
      if (rowsToSample & 2) sampleRow8(lower, color + source + stride, span, first, end)
      let offset: usize = first << 4
      const stop: usize = end << 4
      let target = span.target + y * targetStride + offset
      if (isSolid) {
        for (; offset < stop; offset += 16, target += 16) v128.store(target, lerp(v128.load(upper + offset), v128.load(lower + offset), weight))
        continue
      }
      if (rowsToSample & 1) sampleRow8(upper + ROW_CACHE_BYTES, alpha + source, span, first, end)
      if (rowsToSample & 2) sampleRow8(lower + ROW_CACHE_BYTES, alpha + source + stride, span, first, end)
      for (; offset < stop; offset += 16, target += 16) {
        const alphaUpper = v128.load(upper + ROW_CACHE_BYTES + offset), alphaLower = v128.load(lower + ROW_CACHE_BYTES + offset)
        if (!v128.any_true(v128.or(alphaUpper, alphaLower))) continue
        let over = lerp(v128.load(upper + offset), v128.load(lower + offset), weight)
        let cover = lerp(alphaUpper, alphaLower, weight)
        if (opacity < 32767) {
          over = i16x8.q15mulr_sat_s(over, fade)
          cover = i16x8.q15mulr_sat_s(cover, fade)
        }
        cover = i16x8.add_sat_s(cover, i16x8.shr_u(cover, 8)) // 255 * 128 becomes 1.0
        v128.store(target, i16x8.add_sat_s(over, i16x8.q15mulr_sat_s(v128.load(target), i16x8.sub(full, cover))))
      }
    }
  }
}

export const MODE_REPLACE = 0
export const MODE_ADD = 1
export const MODE_TOWARDS_COLOR = 2
export const MODE_TOWARDS_PLANE = 3

/**
 * Enlarges a small 16-bit texture. REPLACE stores it, and ADD adds it, times `gain`. TOWARDS_COLOR
 * uses it, times `gain`, as the coverage of `color`, for example of fog. TOWARDS_PLANE uses it as
 * the coverage of another working plane, which begins `color` bytes after the target.
 */
export function composeTexture(span: Span, texels: usize, strideBytes: i32, height: i32, mode: i32, gain: i32, color: i32): void {
  const blocks = span.blocks, targetStride = span.targetStride, rowEnd = span.rowEnd
  const strength = i16x8.splat(<i16>gain), constant = i16x8.splat(<i16>color), full = i16x8.splat(32767)
  let upper = span.rowCache, lower = span.rowCache + ROW_CACHE_BYTES
  let upperRow = -1, lowerRow = -1
  for (let y = span.rowFirst; y < rowEnd; y++) {
    const position = span.sourceY + y * span.sourceStepY
    let row = position >> 16, fraction = (position & 0xffff) >> 1
    if (row < 0) { row = 0; fraction = 0 }
    if (row > height - 2) { row = height - 2; fraction = 32767 }
    if (upperRow != row) {
      if (lowerRow == row) {
        const swap = upper
        upper = lower
        lower = swap
      } else {
        sampleRow16(upper, texels + row * strideBytes, span)
      }
      upperRow = row
      lowerRow = -1
    }
    if (lowerRow != row + 1) {
      sampleRow16(lower, texels + (row + 1) * strideBytes, span)
      lowerRow = row + 1
    }
    const weight = i16x8.splat(<i16>fraction)
    let target = span.target + y * targetStride
    for (let offset: usize = 0, end: usize = blocks << 4; offset < end; offset += 16, target += 16) {
      const texel = lerp(v128.load(upper + offset), v128.load(lower + offset), weight)
      if (mode == MODE_REPLACE) {
        v128.store(target, texel)
        continue
      }
      const below = v128.load(target), scaled = i16x8.q15mulr_sat_s(texel, strength)
      if (mode == MODE_ADD) v128.store(target, i16x8.add_sat_s(below, scaled))
      else if (mode == MODE_TOWARDS_COLOR) v128.store(target, lerp(below, constant, scaled))
      else {
        // At full coverage the target may hold undrawn memory, which must not show through.
        const other = v128.load(target + color)
        v128.store(target, v128.bitselect(other, lerp(below, other, texel), i16x8.eq(texel, full)))
      }
    }
  }
}

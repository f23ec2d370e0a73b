// Kernels for subjects. A part that was drawn on a canvas is lit as if it were round, and composed
// over the earlier parts. Then the shadow and the reflection of the silhouette are drawn. Cells are
// a coarse map of a drawing's coverage: f32 values from 0 to 1. A row has `stride` cells, a
// multiple of 4.
import { buildSamplingTable, lerp, sampleRow16, Span } from './sampling.as'

@inline
function isClear(from: usize, end: usize): bool {
  for (; from < end; from += 16) if (v128.any_true(v128.load(from))) return false
  return true
}

/**
 * Finds the bounding box of the drawn pixels: i32 left, top, right, bottom, or all 0 if nothing is
 * drawn. Pixels are packed, and the width is a multiple of 4.
 */
export function findBox(box: usize, pixels: usize, width: i32, rows: i32): void {
  const rowBytes: usize = width << 2
  let top = 0, bottom = rows
  while (top < rows && isClear(pixels + <usize>top * rowBytes, pixels + <usize>(top + 1) * rowBytes)) top++
  if (top == rows) {
    memory.fill(box, 0, 16)
    return
  }
  while (isClear(pixels + <usize>(bottom - 1) * rowBytes, pixels + <usize>bottom * rowBytes)) bottom--
  let left = rowBytes, right: usize = 0
  for (let y = top; y < bottom; y++) {
    const row: usize = pixels + <usize>y * rowBytes
    let first: usize = 0, last = rowBytes
    while (first < left && !v128.any_true(v128.load(row + first))) first += 16
    while (first < left && load<u32>(row + first) == 0) first += 4
    left = min(left, first)
    while (last > right && !v128.any_true(v128.load(row + last - 16))) last -= 16
    while (last > right && load<u32>(row + last - 4) == 0) last -= 4
    right = max(right, last)
  }
  store<i32>(box, <i32>(left >> 2))
  store<i32>(box, top, 4)
  store<i32>(box, <i32>(right >> 2), 8)
  store<i32>(box, bottom, 12)
}

/** Clears `bytes` bytes from the address `start` on. */
export function clearBytes(start: usize, bytes: usize): void {
  memory.fill(start, 0, bytes)
}

/**
 * Computes cells of `cell` x `cell` pixels, with `pad` empty cells on all sides. `sums` is
 * temporary memory: 2 bytes for each pixel of a row, and 16 more.
 */
export function coverCells(cells: usize, stride: i32, pixels: usize, pixelStride: i32, width: i32, rows: i32, cell: i32, pad: i32, sums: usize): void {
  const cellRows = (rows + cell - 1) / cell, columns = (width + cell - 1) / cell
  const weight: f32 = 1 / f32(cell * cell * 255)
  memory.fill(cells, 0, ((cellRows + pad * 2) * stride) << 2)
  for (let cellRow = 0; cellRow < cellRows; cellRow++) {
    const bottom = min(rows, (cellRow + 1) * cell)
    memory.fill(sums, 0, (width << 1) + 16)
    for (let y = cellRow * cell; y < bottom; y++) {
      const row: usize = pixels + y * pixelStride
      for (let x = 0; x < width; x += 8) {
        const from = row + (x << 2), to: usize = sums + (x << 1)
        const alphas = i16x8.narrow_i32x4_u(i32x4.shr_u(v128.load(from), 24), i32x4.shr_u(v128.load(from, 16), 24))
        v128.store(to, i16x8.add(v128.load(to), alphas))
      }
    }
    let target: usize = cells + (((cellRow + pad) * stride + pad) << 2)
    for (let column = 0, x = 0; column < columns; column++, target += 4) {
      let sum: u32 = 0
      for (const end = min(width, x + cell); x < end; x++) sum += load<u16>(sums + (x << 1))
      store<f32>(target, f32(sum) * weight)
    }
  }
}

/**
 * Blurs cells with two box blurs in each direction, which approximate a bell curve. `spare` is
 * temporary memory for the cells and one more row.
 */
export function blurCells(cells: usize, spare: usize, columns: i32, rows: i32, stride: i32, reach: i32): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let row = 0; row < rows; row++) blurAcross(spare + ((row * stride) << 2), cells + ((row * stride) << 2), columns, stride, reach)
    blurDown(cells, spare, rows, stride, reach)
  }
}

@inline
function blurAcross(target: usize, source: usize, columns: i32, stride: i32, reach: i32): void {
  const weight: f32 = 1 / f32(reach * 2 + 1), bytes: usize = reach << 2, end: usize = columns << 2
  let sum: f32 = 0
  for (let at: usize = 0, head = min(bytes, end); at < head; at += 4) sum += load<f32>(source + at)
  for (let at: usize = 0; at < end; at += 4) {
    if (at + bytes < end) sum += load<f32>(source + at + bytes)
    if (at > bytes) sum -= load<f32>(source + at - bytes - 4)
    store<f32>(target + at, sum * weight)
  }
  for (let at: usize = end, row: usize = stride << 2; at < row; at += 4) store<f32>(target + at, 0)
}

@inline
function blurDown(target: usize, source: usize, rows: i32, stride: i32, reach: i32): void {
  const weight = f32x4.splat(1 / f32(reach * 2 + 1)), rowBytes: usize = stride << 2
  const sums: usize = source + rows * rowBytes
  memory.fill(sums, 0, rowBytes)
  for (let row = 0; row < min(reach, rows); row++) {
    for (let at: usize = 0; at < rowBytes; at += 16) v128.store(sums + at, f32x4.add(v128.load(sums + at), v128.load(source + row * rowBytes + at)))
  }
  for (let row = 0; row < rows; row++) {
    const enters: usize = source + (row + reach) * rowBytes, leaves: usize = source + (row - reach - 1) * rowBytes
    const isEntering = row + reach < rows, isLeaving = row > reach
    for (let at: usize = 0; at < rowBytes; at += 16) {
      let sum = v128.load(sums + at)
      if (isEntering) sum = f32x4.add(sum, v128.load(enters + at))
      if (isLeaving) sum = f32x4.sub(sum, v128.load(leaves + at))
      v128.store(sums + at, sum)
      v128.store(target + row * rowBytes + at, f32x4.mul(sum, weight))
    }
  }
}

/** A part to light and compose. Filled by the host. Shares have 15 bits. */
@unmanaged
export class Part {
  picture: usize // premultiplied RGBA of the picture below: the part's first pixel in it
  pictureStride: i32 // bytes
  pixels: usize // straight RGBA of the part; clear up to a multiple of 8 pixels
  pixelStride: i32 // bytes
  width: i32
  rows: i32
  form: usize // cells, blurred over the thickness of the body
  edge: usize // cells, blurred with a reach of one cell
  stride: i32
  cell: i32
  pad: i32
  work: usize // PART_WORK_BYTES, 2 for each cell of a row, and 104 for each 8 pixels of a row
  formSlopeX: f32 // factors for slopes of the form
  formSlopeY: f32
  rimSlopeX: f32 // factors for slopes of the edge
  rimSlopeY: f32
  rimShare: i32
  plainRed: i32 // share of the part's own color
  plainGreen: i32
  plainBlue: i32
  litRed: i32 // light added on a side that faces the light
  litGreen: i32
  litBlue: i32
  shadedRed: i32 // light added on a side that faces away
  shadedGreen: i32
  shadedBlue: i32
  rimRed: i32 // light added at the rim
  rimGreen: i32
  rimBlue: i32
  hazeRed: i32 // light added everywhere
  hazeGreen: i32
  hazeBlue: i32
}

const PART_WORK_BYTES: usize = 512
/** Fixed-point value of a slope of 1. */
const SLOPE: f32 = 4096
/** Slope of the edge above which the rim light is visible. */
const RIM_SLOPE_MIN: f32 = 0.42

/** Computes the slope toward the light for each cell of a row, minus `from`. */
@inline
function computeSlopes(target: usize, cells: usize, row: i32, stride: i32, lightX: f32, lightY: f32, from: f32): void {
  const rowBytes: usize = stride << 2
  const x = f32x4.splat(lightX * SLOPE), y = f32x4.splat(lightY * SLOPE), offset = f32x4.splat(from * SLOPE)
  for (let at: usize = cells + ((row * stride) << 2), end = at + rowBytes; at < end; at += 16, target += 8) {
    const across = f32x4.sub(v128.load(at, 4), v128.load(at - 4)), down = f32x4.sub(v128.load(at + rowBytes), v128.load(at - rowBytes))
    const facing = i32x4.trunc_sat_f32x4_s(f32x4.sub(f32x4.add(f32x4.mul(across, x), f32x4.mul(down, y)), offset))
    v128.store64_lane(target, i16x8.narrow_i32x4_s(facing, facing), 0)
  }
}

/** Converts a slope to a share from -1 to 1 of 15 bits. */
@inline
function asShare(slope: v128): v128 {
  const twice = i16x8.add_sat_s(slope, slope), fourfold = i16x8.add_sat_s(twice, twice)
  return i16x8.add_sat_s(fourfold, fourfold)
}

/** Extracts one channel of eight pixels as 16-bit samples: the byte from bit `shift` on. */
@inline
function channel(first: v128, second: v128, shift: i32): v128 {
  const byte = i32x4.splat(255)
  return i16x8.narrow_i32x4_u(v128.and(i32x4.shr_u(first, shift), byte), v128.and(i32x4.shr_u(second, shift), byte))
}

/**
 * Computes `own * (plain + lit * toward + shaded * away) * kept + (haze + rim * bright) * alpha`,
 * limited to the alpha. The result is a byte value * 128.
 */
@inline
function litChannel(own: v128, plain: i32, lit: i32, shaded: i32, toward: v128, away: v128, kept: v128, rim: i32, bright: v128, haze: i32, alpha: v128): v128 {
  const directional = i16x8.add_sat_s(i16x8.q15mulr_sat_s(i16x8.splat(<i16>lit), toward), i16x8.q15mulr_sat_s(i16x8.splat(<i16>shaded), away))
  const light = i16x8.q15mulr_sat_s(i16x8.add_sat_s(i16x8.splat(<i16>plain), directional), kept)
  const added = i16x8.q15mulr_sat_s(i16x8.add_sat_s(i16x8.splat(<i16>haze), i16x8.q15mulr_sat_s(i16x8.splat(<i16>rim), bright)), alpha)
  return i16x8.min_s(alpha, i16x8.add_sat_s(i16x8.q15mulr_sat_s(i16x8.shl(own, 7), light), added))
}

/**
 * Converts byte values * 128 to byte values in 16 bits. The offset compensates for rounding losses.
 */
@inline
function asBytes(samples: v128): v128 {
  return i16x8.shr_u(i16x8.add(samples, i16x8.splat(24)), 7)
}

/** Composes four premultiplied pixels source-over. */
@inline
function composeOver(target: usize, over: v128): void {
  const below = v128.load(target)
  const rest = v128.not(i8x16.shuffle(over, over, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15))
  const low = divideBy255(i16x8.extmul_low_i8x16_u(below, rest)), high = divideBy255(i16x8.extmul_high_i8x16_u(below, rest))
  v128.store(target, i8x16.add_sat_u(over, i8x16.narrow_i16x8_u(low, high)))
}

/** (product + 127) / 255, rounded down. */
@inline
function divideBy255(product: v128): v128 {
  const sum = i16x8.add(product, i16x8.splat(127))
  return i16x8.shr_u(i16x8.add(i16x8.add(sum, i16x8.splat(1)), i16x8.shr_u(sum, 8)), 8)
}

/** Composes eight pixels over the picture. Each channel has byte values in 16 bits. */
@inline
function composeEight(target: usize, red: v128, green: v128, blue: v128, alpha: v128): void {
  const redGreen = v128.or(red, i16x8.shl(green, 8)), blueAlpha = v128.or(blue, i16x8.shl(alpha, 8))
  const first = v128.shuffle<i16>(redGreen, blueAlpha, 0, 8, 1, 9, 2, 10, 3, 11)
  const second = v128.shuffle<i16>(redGreen, blueAlpha, 4, 12, 5, 13, 6, 14, 7, 15)
  if (i16x8.all_true(i16x8.eq(alpha, i16x8.splat(255)))) {
    v128.store(target, first)
    v128.store(target, second, 16)
  } else {
    composeOver(target, first)
    composeOver(target + 16, second)
  }
}

/**
 * Lights a part as if its shape were round, and composes it over the picture. The part is bright
 * where its silhouette faces the light, with a rim at the very edge, and shaded where it faces
 * away.
 */
export function lightPart(part: Part): void {
  const blocks = (part.width + 7) >> 3, lineBytes: usize = blocks << 4, cellRow = part.stride
  const span = changetype<Span>(part.work)
  span.blocks = blocks
  span.tableOffsets = part.work + 64
  span.tablePositions = span.tableOffsets + ((blocks * 4 + 15) & ~15)
  span.tableWeights = span.tablePositions + lineBytes
  const slopes = span.tableWeights + lineBytes
  let formUpper = slopes + (cellRow << 1) + 64, formLower = formUpper + lineBytes
  let rimUpper = formLower + lineBytes, rimLower = rimUpper + lineBytes, last = -1
  const step = 65536 / part.cell
  buildSamplingTable(span.tableOffsets, span.tablePositions, span.tableWeights, blocks, (step >> 1) + (part.pad << 16) - 32768, step, cellRow, 2)
  const zero = i16x8.splat(0), full = i16x8.splat(32767), rimShare = i16x8.splat(<i16>part.rimShare)
  for (let y = 0; y < part.rows; y++) {
    const position = (step >> 1) + y * step + (part.pad << 16) - 32768, line = position >> 16
    const down = i16x8.splat(<i16>((position & 0xffff) >> 1))
    if (line != last) {
      if (line == last + 1) {
        const formSlope = formUpper, rimSlope = rimUpper
        formUpper = formLower
        formLower = formSlope
        rimUpper = rimLower
        rimLower = rimSlope
      } else {
        computeSlopes(slopes, part.form, line, cellRow, part.formSlopeX, part.formSlopeY, 0)
        sampleRow16(formUpper, slopes, span)
        computeSlopes(slopes, part.edge, line, cellRow, part.rimSlopeX, part.rimSlopeY, RIM_SLOPE_MIN)
        sampleRow16(rimUpper, slopes, span)
      }
      computeSlopes(slopes, part.form, line + 1, cellRow, part.formSlopeX, part.formSlopeY, 0)
      sampleRow16(formLower, slopes, span)
      computeSlopes(slopes, part.edge, line + 1, cellRow, part.rimSlopeX, part.rimSlopeY, RIM_SLOPE_MIN)
      sampleRow16(rimLower, slopes, span)
      last = line
    }
    const source: usize = part.pixels + y * part.pixelStride, target: usize = part.picture + y * part.pictureStride
    for (let at: usize = 0; at < lineBytes; at += 16) {
      const first = v128.load(source + (at << 1)), second = v128.load(source + (at << 1), 16)
      const bytes = i16x8.narrow_i32x4_u(i32x4.shr_u(first, 24), i32x4.shr_u(second, 24))
      if (!v128.any_true(bytes)) continue
      const formSlope = asShare(lerp(v128.load(formUpper + at), v128.load(formLower + at), down))
      const rimSlope = asShare(lerp(v128.load(rimUpper + at), v128.load(rimLower + at), down))
      const bright = i16x8.q15mulr_sat_s(i16x8.max_s(zero, rimSlope), rimShare)
      const toward = i16x8.max_s(zero, formSlope), away = i16x8.max_s(zero, i16x8.sub_sat_s(zero, formSlope))
      const alpha = i16x8.shl(bytes, 7)
      const kept = i16x8.q15mulr_sat_s(i16x8.add(alpha, i16x8.shr_u(alpha, 8)), i16x8.sub(full, bright))
      const red = litChannel(channel(first, second, 0), part.plainRed, part.litRed, part.shadedRed, toward, away, kept, part.rimRed, bright, part.hazeRed, alpha)
      const green = litChannel(channel(first, second, 8), part.plainGreen, part.litGreen, part.shadedGreen, toward, away, kept, part.rimGreen, bright, part.hazeGreen, alpha)
      const blue = litChannel(channel(first, second, 16), part.plainBlue, part.litBlue, part.shadedBlue, toward, away, kept, part.rimBlue, bright, part.hazeBlue, alpha)
      composeEight(target + (at << 1), asBytes(red), asBytes(green), asBytes(blue), bytes)
    }
  }
}

/** Composes a part over the picture without lighting. */
export function composePart(part: Part): void {
  const lineBytes: usize = ((part.width + 7) >> 3) << 5
  for (let y = 0; y < part.rows; y++) {
    const source: usize = part.pixels + y * part.pixelStride, target: usize = part.picture + y * part.pictureStride
    for (let at: usize = 0; at < lineBytes; at += 32) {
      const first = v128.load(source + at), second = v128.load(source + at, 16)
      const alpha = i16x8.narrow_i32x4_u(i32x4.shr_u(first, 24), i32x4.shr_u(second, 24))
      if (!v128.any_true(alpha)) continue
      const red = divideBy255(i16x8.mul(channel(first, second, 0), alpha))
      const green = divideBy255(i16x8.mul(channel(first, second, 8), alpha))
      const blue = divideBy255(i16x8.mul(channel(first, second, 16), alpha))
      composeEight(target + at, red, green, blue, alpha)
    }
  }
}

/** A shadow to draw. Filled by the host. */
@unmanaged
export class Shadow {
  sharp: usize // cells
  soft: usize
  stride: i32
  columns: i32
  rows: i32
  soleRow: i32 // row of cells at the feet
  aboveSoleRow: i32 // row of cells slightly above the feet
  red: f32
  green: f32
  blue: f32
  strength: f32
}

@inline
function coverAt(cells: usize, shadow: Shadow, column: i32, share: f32, row: i32): f32 {
  if (<u32>column >= <u32>(shadow.columns - 1) || <u32>row >= <u32>shadow.rows) return 0
  const at: usize = cells + ((row * shadow.stride + column) << 2), left = load<f32>(at)
  return left + (load<f32>(at, 4) - left) * share
}

/**
 * Writes one row of a shadow in premultiplied RGBA. `from` is the row of cells that casts it, and
 * `startColumn` is the position in that row of the first pixel.
 */
export function drawShadowRow(shadow: Shadow, target: usize, width: i32, startColumn: f32, from: i32, sharpShare: f32, softShare: f32, contactStrength: f32): void {
  const first = i32(Mathf.floor(startColumn)), share = startColumn - f32(first), soleRow = shadow.soleRow, aboveSoleRow = shadow.aboveSoleRow
  for (let x = 0; x < width; x++, target += 4) {
    const column = first + x
    const castCover = coverAt(shadow.sharp, shadow, column, share, from) * sharpShare + coverAt(shadow.soft, shadow, column, share, from) * softShare
    const contactCover = max(coverAt(shadow.soft, shadow, column, share, soleRow), coverAt(shadow.soft, shadow, column, share, aboveSoleRow))
    const cover = min<f32>(0.8, shadow.strength * (castCover + contactCover * contactStrength))
    if (cover < 0.004) {
      store<u32>(target, 0)
      continue
    }
    store<u8>(target, <u8>i32(shadow.red * cover))
    store<u8>(target, <u8>i32(shadow.green * cover), 1)
    store<u8>(target, <u8>i32(shadow.blue * cover), 2)
    store<u8>(target, <u8>i32(cover * 255), 3)
  }
}

/**
 * Writes every second pixel of the source row from the pixel `shift` on, times `fade` / 65,536.
 * Pixels outside the source are clear.
 */
export function reflectRow(target: usize, width: i32, source: usize, sourceWidth: i32, shift: i32, fade: i32): void {
  for (let x = 0, from = shift; x < width; x++, from += 2, target += 4) {
    if (<u32>from >= <u32>sourceWidth) {
      store<u32>(target, 0)
      continue
    }
    const at: usize = source + (from << 2)
    for (let channel: usize = 0; channel < 4; channel++) store<u8>(target + channel, <u8>((<i32>load<u8>(at + channel) * fade) >> 16))
  }
}

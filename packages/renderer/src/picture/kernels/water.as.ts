// Reflection in water: the drawing above the horizon, halved, mirrored and displaced by two
// drifting noise fields in perspective. Luma and chroma must be displaced by the same fields.
// Otherwise the colors are shifted against the shapes.

/** Halves one plane in both directions with a box filter. */
export function halvePlane(target: usize, targetStride: i32, source: usize, sourceStride: i32, width: i32, rows: i32): void {
  for (let y = 0; y < rows; y++) {
    let from: usize = source + 2 * y * sourceStride, to: usize = target + y * targetStride
    for (let x = 0; x < width; x += 8, from += 32, to += 16) {
      const a = i16x8.avgr_u(v128.load(from), v128.load(from + sourceStride))
      const b = i16x8.avgr_u(v128.load(from, 16), v128.load(from + sourceStride, 16))
      const even = v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
      const odd = v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
      v128.store(to, i16x8.avgr_u(even, odd))
    }
  }
}

/**
 * Filled by the host. Lengths are in samples of the half-size luma plane. `reduction` is 1 for
 * luma, 2 for chroma.
 */
@unmanaged
export class Water {
  target: usize
  targetSecond: usize // V beside U, or 0
  targetStride: i32
  mirror: usize
  mirrorSecond: usize
  mirrorStride: i32
  mirrorRows: i32
  width: i32
  rows: i32
  reduction: i32
  tile: usize // 256 rows of 512 16-bit noise samples, the second half repeating the first
  rowCache: usize
  depthScale: f32
  acrossScale: f32
  driftX1: f32
  driftY1: f32
  driftX2: f32
  driftY2: f32
  eyeHeight: f32
  rippleFar: f32
  rippleNear: f32
  rowsFull: f32
  sideways: f32
  tint: i32
  tintSecond: i32
  clarityFar: i32 // 15-bit share of the reflection at the horizon; the rest is tint
  clarityNear: i32
}

const TILE_ROW_BYTES: usize = 1024
const TILE_BYTES_USED: usize = 528

/** Interpolates one tile row vertically into the row cache. */
@inline
function prepareTileRow(cache: usize, tile: usize, row: f32): void {
  const whole = Mathf.floor(row)
  const weight = i16x8.splat(<i16>i32((row - whole) * 32767.0))
  const upper = tile + (i32(whole) & 255) * TILE_ROW_BYTES, lower = tile + ((i32(whole) + 1) & 255) * TILE_ROW_BYTES
  for (let offset: usize = 0; offset < TILE_BYTES_USED; offset += 16) {
    const a = v128.load(upper + offset)
    v128.store(cache + offset, i16x8.add(a, i16x8.q15mulr_sat_s(i16x8.sub(v128.load(lower + offset), a), weight)))
  }
}

@inline
function tileAt(cache: usize, position: i32): i32 {
  const entry = cache + <usize>(((position >> 8) & 255) << 1)
  const left = <i32>load<i16>(entry)
  return left + (((<i32>load<i16>(entry, 2) - left) * (position & 255)) >> 8)
}

/**
 * Returns two neighboring samples of the mirror image, vertically interpolated and faded toward the
 * tint, packed for one store.
 */
@inline
function mirroredPair(source: usize, stride: i32, fraction: i32, tint: i32, clarity: i32): u32 {
  const upper = load<u32>(source), lower = load<u32>(source + stride)
  const left = <i32>(upper & 0xffff), right = <i32>(upper >> 16)
  const a = left + (((<i32>(lower & 0xffff) - left) * fraction) >> 8)
  const b = right + (((<i32>(lower >> 16) - right) * fraction) >> 8)
  return ((tint + (((a - tint) * clarity) >> 15)) & 0xffff) | ((tint + (((b - tint) * clarity) >> 15)) << 16)
}

export function reflectWater(water: Water): void {
  const width = water.width, reduction = water.reduction
  const first = water.rowCache, second = water.rowCache + TILE_ROW_BYTES
  const lastColumn = width - 2, lastRow = water.mirrorRows - 2
  const mirror = water.mirror, mirrorSecond = water.mirrorSecond, mirrorStride = water.mirrorStride
  const tint = water.tint, tintSecond = water.tintSecond
  for (let y = 0; y < water.rows; y++) {
    const distance: f32 = f32(y * reduction), nearness: f32 = 1.0 / (distance + water.eyeHeight)
    prepareTileRow(first, water.tile, nearness * water.depthScale + water.driftY1)
    prepareTileRow(second, water.tile, nearness * water.depthScale * 0.61 + water.driftY2)
    const depth: f32 = distance / water.rowsFull
    const ripple = i32((water.rippleFar + (water.rippleNear - water.rippleFar) * depth) * 256.0) / reduction
    const rippleAcross = i32(f32(ripple) * water.sideways), rippleAlong = ripple >> 3
    const step1 = i32(nearness * water.acrossScale * f32(reduction) * 256.0), step2 = i32(f32(step1) * 1.37)
    let position1 = i32(water.driftX1 * 256.0) - (width >> 1) * step1
    let position2 = i32(water.driftX2 * 256.0) - (width >> 1) * step2
    const clarity = water.clarityFar + i32(f32(water.clarityNear - water.clarityFar) * depth)
    const mirrored = (water.mirrorRows - 1 - y) << 8
    let target: usize = water.target + y * water.targetStride, targetSecond: usize = water.targetSecond + y * water.targetStride
    for (let x = 0; x < width; x += 2, target += 4, targetSecond += 4) {
      const n1 = tileAt(first, position1), n2 = tileAt(second, position2)
      position1 += step1 << 1
      position2 += step2 << 1
      const column = max(0, min(lastColumn, x + (((n1 - n2) * rippleAcross) >> 22)))
      const along = mirrored + (((n1 + n2) * rippleAlong) >> 11)
      const row = min(lastRow, abs(along >> 8))
      const source: usize = row * mirrorStride + (column << 1)
      store<u32>(target, mirroredPair(mirror + source, mirrorStride, along & 255, tint, clarity))
      if (mirrorSecond) store<u32>(targetSecond, mirroredPair(mirrorSecond + source, mirrorStride, along & 255, tintSecond, clarity))
    }
  }
}

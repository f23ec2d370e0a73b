// The last pass: vignette, dither and rounding to 8 bits. A row of the output has the frame's exact
// width, but its last vector may extend past its end. The next row overwrites this excess. Unused
// bytes must follow the last row.

/**
 * Filled by the host. The falloff tables have a 15-bit share for each column and each row, by which
 * the column or row is darkened. The tile has 256 rows of 512 samples.
 */
@unmanaged
export class Finish {
  columnFalloff: usize
  rowFalloff: usize
  tile: usize
  dither: i32
  pivot: i32 // value that samples approach toward the edges: black for luma, gray for chroma
  lowest: i32
  highest: i32
}

@inline
function applyFalloff(sample: v128, pivot: v128, falloff: v128): v128 {
  return i16x8.add(pivot, i16x8.q15mulr_sat_s(i16x8.sub(sample, pivot), falloff))
}

export function storePlane(target: usize, source: usize, sourceStride: i32, width: i32, rows: i32, finish: Finish, tileX: i32, tileY: i32): void {
  const full = i16x8.splat(32767), half = i16x8.splat(64)
  const dither = i16x8.splat(<i16>finish.dither), pivot = i16x8.splat(<i16>finish.pivot)
  const lowest = i16x8.splat(<i16>finish.lowest), highest = i16x8.splat(<i16>finish.highest)
  const columns = finish.columnFalloff
  for (let y = 0; y < rows; y++) {
    let from: usize = source + y * sourceStride, to: usize = target + y * width
    const tileRow: usize = finish.tile + (((y + tileY) & 255) << 10)
    const rowLight = i16x8.sub(full, i16x8.splat(load<i16>(finish.rowFalloff + (y << 1))))
    for (let x = 0; x < width; x += 16, from += 32, to += 16) {
      const grain: usize = tileRow + (((x + tileX) & 255) << 1)
      let a = applyFalloff(v128.load(from), pivot, i16x8.sub_sat_s(rowLight, v128.load(columns + (x << 1))))
      let b = applyFalloff(v128.load(from, 16), pivot, i16x8.sub_sat_s(rowLight, v128.load(columns + (x << 1), 16)))
      a = i16x8.add_sat_s(a, i16x8.q15mulr_sat_s(v128.load(grain), dither))
      b = i16x8.add_sat_s(b, i16x8.q15mulr_sat_s(v128.load(grain, 16), dither))
      a = i16x8.min_s(i16x8.max_s(i16x8.shr_s(i16x8.add_sat_s(a, half), 7), lowest), highest)
      b = i16x8.min_s(i16x8.max_s(i16x8.shr_s(i16x8.add_sat_s(b, half), 7), lowest), highest)
      v128.store(to, i8x16.narrow_i16x8_u(a, b))
    }
  }
}

/**
 * Enlarges four chroma samples to eight. Each is three quarters of the nearest sample and one
 * quarter of the next nearest, in both directions. Returns half the distance of each from gray.
 */
@inline
function spreadChroma(row: usize, nearRow: usize, atLeftEdge: bool, atRightEdge: bool): v128 {
  const own = blendRows(v128.load64_zero(row), v128.load64_zero(nearRow))
  const right = atRightEdge ? v128.shuffle<i16>(own, own, 1, 2, 3, 3, 0, 0, 0, 0) : blendRows(v128.load64_zero(row + 2), v128.load64_zero(nearRow + 2))
  const left = atLeftEdge ? v128.shuffle<i16>(own, own, 0, 0, 1, 2, 0, 0, 0, 0) : blendRows(v128.load64_zero(row - 2), v128.load64_zero(nearRow - 2))
  const even = i16x8.avgr_u(own, i16x8.avgr_u(own, left)), odd = i16x8.avgr_u(own, i16x8.avgr_u(own, right))
  const spread = v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11)
  return i16x8.shr_s(i16x8.sub(spread, i16x8.splat(128 << 7)), 1)
}

@inline
function blendRows(own: v128, near: v128): v128 {
  return i16x8.avgr_u(own, i16x8.avgr_u(own, near))
}

/** Applies the vignette to byte values * 64, and rounds them to byte values. */
@inline
function roundedChannel(channel: v128, falloff: v128): v128 {
  return i16x8.shr_s(i16x8.add_sat_s(i16x8.q15mulr_sat_s(channel, falloff), i16x8.splat(32)), 6)
}

/** Stores the working planes as packed 8-bit sRGB. `stride` is in luma samples. */
export function storeRgb(target: usize, planeY: usize, planeU: usize, planeV: usize, width: i32, height: i32, stride: i32, finish: Finish): void {
  const full = i16x8.splat(32767), dither = i16x8.splat(<i16>(finish.dither >> 1))
  const lastChromaRow = (height >> 1) - 1
  for (let y = 0; y < height; y++) {
    const chromaRow = y >> 1, nearRow = max(0, min(lastChromaRow, chromaRow + ((y & 1) ? 1 : -1)))
    let lumaAt: usize = planeY + y * stride * 2, to: usize = target + y * width * 3
    let own: usize = chromaRow * stride, near: usize = nearRow * stride
    const rowLight = i16x8.sub(full, i16x8.splat(load<i16>(finish.rowFalloff + (y << 1))))
    const tileRow: usize = finish.tile + ((y & 255) << 10)
    for (let x = 0; x < width; x += 8) {
      const falloff = i16x8.sub_sat_s(rowLight, v128.load(finish.columnFalloff + (x << 1)))
      let light = i16x8.shr_s(i16x8.sub(v128.load(lumaAt), i16x8.splat(16 << 7)), 1)
      light = i16x8.add_sat_s(light, i16x8.q15mulr_sat_s(v128.load(tileRow + ((x & 255) << 1)), dither))
      light = i16x8.add(light, i16x8.q15mulr_sat_s(light, i16x8.splat(5380))) // 255 / 219
      const atRightEdge = x + 8 == stride
      const u = spreadChroma(planeU + own, planeU + near, x == 0, atRightEdge), v = spreadChroma(planeV + own, planeV + near, x == 0, atRightEdge)
      const red = i16x8.add_sat_s(light, i16x8.add_sat_s(v, i16x8.q15mulr_sat_s(v, i16x8.splat(25974)))) // 1.7927
      const green = i16x8.sub_sat_s(light, i16x8.add_sat_s(i16x8.q15mulr_sat_s(u, i16x8.splat(6988)), i16x8.q15mulr_sat_s(v, i16x8.splat(17463)))) // 0.2132, 0.5329
      const blue = i16x8.add_sat_s(light, i16x8.add_sat_s(u, i16x8.add_sat_s(u, i16x8.q15mulr_sat_s(u, i16x8.splat(3682))))) // 2.1124
      const rg = i8x16.narrow_i16x8_u(roundedChannel(red, falloff), roundedChannel(green, falloff))
      const bb = i8x16.narrow_i16x8_u(roundedChannel(blue, falloff), i16x8.splat(0))
      v128.store(to, v128.shuffle<i8>(rg, bb, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5))
      v128.store64_lane(to + 16, v128.shuffle<i8>(rg, bb, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0), 0)
      lumaAt += 16
      own += 8
      near += 8
      to += 24
    }
  }
}

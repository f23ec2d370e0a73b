// Converts packed RGBA to limited-range BT.709 planes, with 15-bit coefficients. Chroma is the mean
// of 2x2 pixels. Width and height must be even.

@inline
function luma(r: i32, g: i32, b: i32, a: i32): i32 {
  return (r * 5983 + g * 20127 + b * 2032 + a * ((16 << 15) / 255) + 16384) >> 15
}

@inline
function chromaU(r: i32, g: i32, b: i32, a: i32): i32 {
  return (r * -3298 + g * -11094 + b * 14392 + a * ((128 << 15) / 255) + 65536) >> 17
}

@inline
function chromaV(r: i32, g: i32, b: i32, a: i32): i32 {
  return (r * 14392 + g * -13073 + b * -1319 + a * ((128 << 15) / 255) + 65536) >> 17
}

/**
 * Returns the weighted sum of red, green, blue and alpha for each of four pixels. `low` and `high`
 * hold two pixels each, as 16-bit channels.
 */
@inline
function weightedSums(low: v128, high: v128, weights: v128): v128 {
  const first = i32x4.dot_i16x8_s(low, weights), second = i32x4.dot_i16x8_s(high, weights)
  return i32x4.add(v128.shuffle<i32>(first, second, 0, 2, 4, 6), v128.shuffle<i32>(first, second, 1, 3, 5, 7))
}

/** Packs four 32-bit sums into four bytes. */
@inline
function bytesOf(sums: v128): v128 {
  const shorts = i16x8.narrow_i32x4_s(sums, sums)
  return i8x16.narrow_i16x8_u(shorts, shorts)
}

/**
 * Converts premultiplied RGBA to an alpha plane and premultiplied Y, U and V planes. Y and alpha
 * have full size. U, V and a second alpha plane, `halfA`, have half the width and half the height.
 */
export function splitPremultiplied(source: usize, width: i32, height: i32, planeY: usize, planeA: usize, planeU: usize, planeV: usize, halfA: usize): void {
  const forY = i16x8(5983, 20127, 2032, 2056, 5983, 20127, 2032, 2056), roundingOfY = i32x4.splat(16384)
  const forU = i16x8(-3298, -11094, 14392, 16448, -3298, -11094, 14392, 16448), roundingOfChroma = i32x4.splat(65536)
  const forV = i16x8(14392, -13073, -1319, 16448, 14392, -13073, -1319, 16448), two = i32x4.splat(2)
  const alphas = i8x16(3, 7, 11, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16)
  const whole = width & ~3
  for (let y = 0; y < height; y += 2) {
    let upper: usize = y * width, half: usize = (y >> 1) * (width >> 1)
    for (let x = 0; x < whole; x += 4, upper += 4, half += 2) {
      const lower: usize = upper + width
      const above = v128.load(source + (upper << 2)), below = v128.load(source + (lower << 2))
      // A fast path, because most pixels of an image layer are fully transparent.
      if (!v128.any_true(v128.or(above, below))) {
        store<u32>(planeY + upper, 0)
        store<u32>(planeY + lower, 0)
        store<u32>(planeA + upper, 0)
        store<u32>(planeA + lower, 0)
        store<u16>(planeU + half, 0)
        store<u16>(planeV + half, 0)
        store<u16>(halfA + half, 0)
        continue
      }
      const aboveLow = i16x8.extend_low_i8x16_u(above), aboveHigh = i16x8.extend_high_i8x16_u(above)
      const belowLow = i16x8.extend_low_i8x16_u(below), belowHigh = i16x8.extend_high_i8x16_u(below)
      v128.store32_lane(planeY + upper, bytesOf(i32x4.shr_s(i32x4.add(weightedSums(aboveLow, aboveHigh, forY), roundingOfY), 15)), 0)
      v128.store32_lane(planeY + lower, bytesOf(i32x4.shr_s(i32x4.add(weightedSums(belowLow, belowHigh, forY), roundingOfY), 15)), 0)
      v128.store32_lane(planeA + upper, i8x16.swizzle(above, alphas), 0)
      v128.store32_lane(planeA + lower, i8x16.swizzle(below, alphas), 0)
      const left = i16x8.add(aboveLow, belowLow), right = i16x8.add(aboveHigh, belowHigh)
      // The sums of the four pixels in each of two squares.
      const squares = i16x8.add(v128.shuffle<i64>(left, right, 0, 2), v128.shuffle<i64>(left, right, 1, 3))
      v128.store16_lane(planeU + half, bytesOf(i32x4.shr_s(i32x4.add(weightedSums(squares, squares, forU), roundingOfChroma), 17)), 0)
      v128.store16_lane(planeV + half, bytesOf(i32x4.shr_s(i32x4.add(weightedSums(squares, squares, forV), roundingOfChroma), 17)), 0)
      const covers = i32x4.shr_u(v128.shuffle<i32>(squares, squares, 1, 3, 1, 3), 16)
      v128.store16_lane(halfA + half, bytesOf(i32x4.shr_u(i32x4.add(covers, two), 2)), 0)
    }
    for (let x = whole; x < width; x += 2, upper += 2, half++) splitSquare(source, upper, width, half, planeY, planeA, planeU, planeV, halfA)
  }
}

function splitSquare(source: usize, upper: usize, width: i32, half: usize, planeY: usize, planeA: usize, planeU: usize, planeV: usize, halfA: usize): void {
  let r = 0, g = 0, b = 0, a = 0
  for (let corner = 0; corner < 4; corner++) {
    const at: usize = upper + (corner >> 1) * width + (corner & 1)
    const pixel = load<u32>(source + (at << 2))
    const red = <i32>(pixel & 255), green = <i32>((pixel >> 8) & 255), blue = <i32>((pixel >> 16) & 255), alpha = <i32>(pixel >> 24)
    r += red
    g += green
    b += blue
    a += alpha
    store<u8>(planeY + at, luma(red, green, blue, alpha))
    store<u8>(planeA + at, alpha)
  }
  store<u8>(planeU + half, chromaU(r, g, b, a))
  store<u8>(planeV + half, chromaV(r, g, b, a))
  store<u8>(halfA + half, (a + 2) >> 2)
}

@inline
function overBlack(value: u32, alpha: u32): i32 {
  return <i32>((value * alpha + 127) / 255)
}

/**
 * Composes RGBA with straight (not premultiplied) alpha over black, and converts it to Y, U and V
 * planes without alpha. `stride` is the number of bytes per row of the Y plane; rows of U and V
 * have half as many.
 */
export function flattenStraight(source: usize, width: i32, height: i32, planeY: usize, planeU: usize, planeV: usize, stride: i32): void {
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let r = 0, g = 0, b = 0
      for (let corner = 0; corner < 4; corner++) {
        const row = y + (corner >> 1), column = x + (corner & 1)
        const pixel = load<u32>(source + (<usize>(row * width + column) << 2)), alpha = pixel >> 24
        const red = overBlack(pixel & 255, alpha), green = overBlack((pixel >> 8) & 255, alpha), blue = overBlack((pixel >> 16) & 255, alpha)
        r += red
        g += green
        b += blue
        store<u8>(planeY + row * stride + column, luma(red, green, blue, 255))
      }
      const half: usize = (y >> 1) * (stride >> 1) + (x >> 1)
      store<u8>(planeU + half, chromaU(r, g, b, 1020))
      store<u8>(planeV + half, chromaV(r, g, b, 1020))
    }
  }
}

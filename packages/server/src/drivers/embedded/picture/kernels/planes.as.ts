// Packed RGBA to planes: limited-range BT.709, 15-bit coefficients, chroma averaged over 2x2. Width and height are even.

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

/** Premultiplied RGBA to premultiplied Y and A at full size, U, V and A at half size. */
export function splitPremultiplied(source: usize, width: i32, height: i32, planeY: usize, planeA: usize, planeU: usize, planeV: usize, halfA: usize): void {
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const upper: usize = y * width + x, half: usize = (y >> 1) * (width >> 1) + (x >> 1)
      // Most of a sprite is empty: four clear pixels at once.
      if (!(load<u64>(source + (upper << 2)) | load<u64>(source + ((upper + width) << 2)))) {
        store<u16>(planeY + upper, 0)
        store<u16>(planeY + upper + width, 0)
        store<u16>(planeA + upper, 0)
        store<u16>(planeA + upper + width, 0)
        store<u8>(planeU + half, 0)
        store<u8>(planeV + half, 0)
        store<u8>(halfA + half, 0)
        continue
      }
      let r = 0, g = 0, b = 0, a = 0
      for (let corner = 0; corner < 4; corner++) {
        const at: usize = (y + (corner >> 1)) * width + x + (corner & 1)
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
  }
}

@inline
function overBlack(value: u32, alpha: u32): i32 {
  return <i32>((value * alpha + 127) / 255)
}

/** Straight-alpha RGBA, laid over black, to opaque planes of their own stride. */
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

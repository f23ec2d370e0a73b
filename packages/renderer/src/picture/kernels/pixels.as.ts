// Pixel art: squares of a single color from a small palette, with ordered dithering.

/** Filled by the host. `side` is the side of a square in luma samples, and even. */
@unmanaged
export class Pixels {
  planeY: usize
  planeU: usize
  planeV: usize
  strideBytes: i32 // luma stride
  width: i32
  rows: i32
  side: i32
  palette: usize // i16 Y, U, V, 0 for each color
  nearest: usize // u8 for each of 32 x 32 x 32 Y, U, V: its color in the palette
  order: usize // i16 for each of 4 x 4 squares, added before a palette color is chosen
}

/** Returns the mean of four samples of a square, at a quarter and three quarters of its sides. */
@inline
function squareMean(plane: usize, strideBytes: i32, left: i32, top: i32, side: i32, lastColumn: i32, lastRow: i32): i32 {
  const near: usize = min(lastColumn, left + (side >> 2)) << 1, far: usize = min(lastColumn, left + ((side * 3) >> 2)) << 1
  const upper: usize = plane + min(lastRow, top + (side >> 2)) * strideBytes, lower: usize = plane + min(lastRow, top + ((side * 3) >> 2)) * strideBytes
  return (<i32>load<i16>(upper + near) + <i32>load<i16>(upper + far) + <i32>load<i16>(lower + near) + <i32>load<i16>(lower + far)) >> 2
}

@inline
function level(sample: i32): i32 {
  return max(0, min(31, sample >> 10))
}

@inline
function fillLine(row: usize, left: i32, end: i32, value: i16): void {
  for (let x = left; x < end; x++) store<i16>(row + (x << 1), value)
}

@inline
function repeatLine(plane: usize, strideBytes: i32, top: i32, end: i32): void {
  for (let y = top + 1; y < end; y++) memory.copy(plane + y * strideBytes, plane + top * strideBytes, strideBytes)
}

export function drawPixels(pixels: Pixels): void {
  const side = pixels.side, half = side >> 1, stride = pixels.strideBytes, halfStride = stride >> 1
  const width = pixels.width, rows = pixels.rows
  for (let top = 0, row = 0; top < rows; top += side, row++) {
    const halfTop = top >> 1
    for (let left = 0, column = 0; left < width; left += side, column++) {
      const halfLeft = left >> 1, added = <i32>load<i16>(pixels.order + (((row & 3) * 4 + (column & 3)) << 1))
      const y = squareMean(pixels.planeY, stride, left, top, side, width - 1, rows - 1) + added
      const u = squareMean(pixels.planeU, halfStride, halfLeft, halfTop, half, (width >> 1) - 1, (rows >> 1) - 1) + (added >> 2)
      const v = squareMean(pixels.planeV, halfStride, halfLeft, halfTop, half, (width >> 1) - 1, (rows >> 1) - 1) - (added >> 2)
      const colorAddress: usize = pixels.palette + (<usize>load<u8>(pixels.nearest + ((level(y) << 10) | (level(u) << 5) | level(v))) << 3)
      // Only the first row of the square is written here. `repeatLine` copies it once all squares
      // of this row have been read.
      fillLine(pixels.planeY + top * stride, left, min(width, left + side), load<i16>(colorAddress))
      fillLine(pixels.planeU + halfTop * halfStride, halfLeft, min(width >> 1, halfLeft + half), load<i16>(colorAddress, 2))
      fillLine(pixels.planeV + halfTop * halfStride, halfLeft, min(width >> 1, halfLeft + half), load<i16>(colorAddress, 4))
    }
    repeatLine(pixels.planeY, stride, top, min(rows, top + side))
    repeatLine(pixels.planeU, halfStride, halfTop, min(rows >> 1, halfTop + half))
    repeatLine(pixels.planeV, halfStride, halfTop, min(rows >> 1, halfTop + half))
  }
}

// A picture repainted in brush strokes that keep their places: which stroke is on top at each sample is fixed, so a row is a
// list of runs, and only the strokes' colours are looked up in each frame.

/** The mean of four places of a plane for each stroke, plus the stroke's own deviation. A place is u16 x, u16 y. */
export function sampleStrokes(colours: usize, deviations: usize, places: usize, count: i32, plane: usize, strideBytes: i32): void {
  for (let stroke = 0; stroke < count; stroke++, colours += 2, deviations += 2, places += 16) {
    let sum = 2
    for (let place: usize = 0; place < 16; place += 4) {
      sum += <i32>load<i16>(plane + (<usize>load<u16>(places + place) << 1) + <i32>load<u16>(places + place, 2) * strideBytes)
    }
    store<i16>(colours, <i16>max(0, min(32640, (sum >> 2) + <i32>load<i16>(deviations))))
  }
}

/** `runs`: for each run u16 the column where it ends, u16 its stroke; a row is full at `width`. A run's overshoot is overwritten. */
export function fillStrokes(target: usize, strideBytes: i32, width: i32, rows: i32, runs: usize, colours: usize): void {
  for (let y = 0; y < rows; y++) {
    const row: usize = target + y * strideBytes
    for (let x = 0; x < width; runs += 4) {
      const end = <i32>load<u16>(runs), colour = i16x8.splat(load<i16>(colours + (<usize>load<u16>(runs, 2) << 1)))
      for (; x < end; x += 8) v128.store(row + (x << 1), colour)
      x = end
    }
  }
}

/** Light on thick paint: 8 bits for each sample, 128 leaves it as it is. Hard steps from stroke to stroke are softened. */
export function lightStrokes(plane: usize, strideBytes: i32, width: i32, rows: i32, relief: usize): void {
  const black = i16x8.splat(16 << 7)
  for (let y = 0; y < rows; y++) {
    let at: usize = plane + y * strideBytes
    const below: usize = y + 1 < rows ? strideBytes : 0
    for (let x = 0; x < width; x += 8, at += 16, relief += 8) {
      const upper = i16x8.avgr_u(v128.load(at), v128.load(at, 2)), lower = i16x8.avgr_u(v128.load(at + below), v128.load(at + below, 2))
      const paint = i16x8.sub(i16x8.avgr_u(upper, lower), black)
      const half = i16x8.q15mulr_sat_s(paint, i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(relief)), 7))
      v128.store(at, i16x8.add_sat_s(black, i16x8.add_sat_s(half, half)))
    }
  }
}

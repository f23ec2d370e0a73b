// The dither tile: 256 rows of 256 samples, each row twice in succession.

let state: u32 = 0

/** Returns the next number of a Mulberry32 sequence, as `createRandom` in random.ts. */
@inline
function random(): f64 {
  state += 0x6d2b79f5
  let mixed = (state ^ (state >> 15)) * (1 | state)
  mixed = (mixed + (mixed ^ (mixed >> 7)) * (61 | mixed)) ^ mixed
  return <f64>(mixed ^ (mixed >> 14)) / 4294967296
}

@inline
function valueAt(white: usize, x: i32, y: i32): f64 {
  return <f64>load<f32>(white + ((((y & 255) << 8) | (x & 255)) << 2))
}

/** Draws triangular noise with few low frequencies. `white` is space for 65,536 floats. */
export function drawDitherTile(tile: usize, white: usize): void {
  state = 9
  for (let at: usize = 0; at < 65536 << 2; at += 4) {
    const first = random()
    store<f32>(white + at, <f32>(first - random()))
  }
  for (let y = 0; y < 256; y++) {
    for (let x = 0; x < 256; x++) {
      const neighborSum = valueAt(white, x + 1, y) + valueAt(white, x - 1, y) + valueAt(white, x, y + 1) + valueAt(white, x, y - 1)
      const value = <i32>max<f64>(-32767, min<f64>(32767, (valueAt(white, x, y) - 0.2 * neighborSum) * 16384))
      const at: usize = tile + (((y << 9) + x) << 1)
      store<i16>(at, value)
      store<i16>(at, value, 512)
    }
  }
}

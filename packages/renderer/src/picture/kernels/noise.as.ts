// Value noise in batches of four samples, from an integer hash. There is no table, so a new seed
// needs no set-up.

/** Returns the value of each lattice point, from -1 to 1. */
@inline
function latticeValue(x: v128, y: v128, seed: v128): v128 {
  let hash = i32x4.add(i32x4.add(i32x4.mul(x, i32x4.splat(0x27d4eb2d)), i32x4.mul(y, i32x4.splat(0x165667b1))), seed)
  hash = v128.xor(hash, i32x4.shr_u(hash, 15))
  hash = i32x4.mul(hash, i32x4.splat(0x2c1b3c6d))
  hash = v128.xor(hash, i32x4.shr_u(hash, 13))
  return f32x4.mul(f32x4.convert_i32x4_s(hash), f32x4.splat(4.656613e-10))
}

/**
 * Computes 6t^5 - 15t^4 + 10t^3. Its first and second derivatives are 0 at 0 and 1, so that slopes
 * do not show the lattice.
 */
@inline
function smooth(t: v128): v128 {
  const inner = f32x4.add(f32x4.mul(t, f32x4.sub(f32x4.mul(t, f32x4.splat(6)), f32x4.splat(15))), f32x4.splat(10))
  return f32x4.mul(f32x4.mul(f32x4.mul(t, t), t), inner)
}

@inline
function mix(from: v128, to: v128, weight: v128): v128 {
  return f32x4.add(from, f32x4.mul(f32x4.sub(to, from), weight))
}

@inline
function valueNoise(x: v128, y: v128, seed: v128): v128 {
  const wholeX = f32x4.floor(x), wholeY = f32x4.floor(y), one = i32x4.splat(1)
  const left = i32x4.trunc_sat_f32x4_s(wholeX), top = i32x4.trunc_sat_f32x4_s(wholeY)
  const right = i32x4.add(left, one), bottom = i32x4.add(top, one)
  const u = smooth(f32x4.sub(x, wholeX)), v = smooth(f32x4.sub(y, wholeY))
  return mix(
    mix(latticeValue(left, top, seed), latticeValue(right, top, seed), u),
    mix(latticeValue(left, bottom, seed), latticeValue(right, bottom, seed), u),
    v,
  )
}

/**
 * Stores fractal noise at `count` points, a multiple of 4. Ridged noise has sharp crests, and fine
 * detail only on them.
 */
export function sampleNoise(ridged: i32, xs: usize, ys: usize, out: usize, count: i32, octaves: i32, gain: f32, seed: i32): void {
  const one = f32x4.splat(1), lacunarity = f32x4.splat(2.03), shiftX = f32x4.splat(17.1), shiftY = f32x4.splat(5.7)
  const seeds = i32x4.splat(seed)
  for (let offset: usize = 0, end: usize = count << 2; offset < end; offset += 16) {
    let x = v128.load(xs + offset), y = v128.load(ys + offset), sum = f32x4.splat(0), crestWeight = one, amplitude: f32 = 0.5
    for (let octave = 0; octave < octaves; octave++) {
      let value = valueNoise(x, y, seeds)
      if (ridged) {
        value = f32x4.sub(one, f32x4.abs(value))
        value = f32x4.mul(f32x4.mul(value, value), crestWeight)
        crestWeight = f32x4.min(one, f32x4.mul(value, f32x4.splat(1.6)))
      }
      sum = f32x4.add(sum, f32x4.mul(value, f32x4.splat(amplitude)))
      x = f32x4.add(f32x4.mul(x, lacunarity), shiftX)
      y = f32x4.add(f32x4.mul(y, lacunarity), shiftY)
      amplitude *= gain
    }
    v128.store(out + offset, sum)
  }
}

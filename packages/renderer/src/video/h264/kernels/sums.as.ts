// Sums over samples, sixteen at a time.

/** Returns the absolute differences of sixteen samples as eight sums of two neighbors. */
@inline
export function differences(a: v128, b: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a)))
}

/** Returns the total of eight sums. */
@inline
export function totalOf(eight: v128): i32 {
  const four = i32x4.extadd_pairwise_i16x8_u(eight)
  const two = i32x4.add(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1))
  return i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1)
}

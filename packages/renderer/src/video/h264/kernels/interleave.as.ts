// Interleaves the lanes of the lower or upper halves of two vectors, to transpose blocks.

@inline
export function lowBytes(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

@inline
export function lowShorts(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

@inline
export function highShorts(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}

@inline
export function lowWords(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5)
}

@inline
export function highWords(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7)
}

@inline
export function lowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2)
}

@inline
export function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3)
}

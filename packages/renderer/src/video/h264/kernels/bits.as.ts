// Writes bits, most significant first, and the Exp-Golomb codes of clause 9.1 of the H.264
// standard.

let next: usize = 0
let pending: u64 = 0
let pendingBits: i32 = 0

export function startBits(target: usize): void {
  next = target
  pending = 0
  pendingBits = 0
}

/** Writes up to 32 bits. The upper bits of `value` must be zero. */
@inline
export function putBits(value: u32, bits: i32): void {
  pending = (pending << bits) | value
  pendingBits += bits
  if (pendingBits >= 32) {
    pendingBits -= 32
    store<u32>(next, bswap(<u32>(pending >> pendingBits)))
    next += 4
  }
}

/** Writes ue(v). */
export function putUnsigned(value: u32): void {
  const bits = 32 - <i32>clz(value + 1)
  putBits(0, bits - 1)
  putBits(value + 1, bits)
}

/** Writes se(v). */
export function putSigned(value: i32): void {
  putUnsigned(value > 0 ? value * 2 - 1 : -value * 2)
}

/** Returns the length of se(v) for this value, in bits. */
@inline
export function signedBits(value: i32): i32 {
  return 63 - 2 * <i32>clz((value > 0 ? value * 2 - 1 : -value * 2) + 1)
}

/** Writes the stop bit and zeros up to a whole byte (clause 7.3.2.11). Returns the end address. */
export function endBits(): usize {
  putBits(1, 1)
  while (pendingBits > 0) {
    const bits = min(8, pendingBits)
    store<u8>(next++, <u32>((pending >> (pendingBits - bits)) << (8 - bits)))
    pendingBits -= bits
  }
  return next
}

/**
 * Copies a payload and escapes start codes (clause 7.4.1): 0, 0 and a byte below 4 becomes 0, 0, 3
 * and that byte. Returns the end address.
 */
export function copyEscaped(target: usize, source: usize, end: usize): usize {
  let zeros = 0
  for (; source < end; source++) {
    const byte = load<u8>(source)
    if (zeros >= 2 && byte <= 3) {
      store<u8>(target++, 3)
      zeros = 0
    }
    store<u8>(target++, byte)
    zeros = byte == 0 ? zeros + 1 : 0
  }
  return target
}

// Factors of each quantizer from 0 to 51 (clauses 8.5.9 and 8.5.12 of the H.264 standard), as
// vectors for a pair of transposed blocks. A vector is a column of both blocks. Even and odd
// columns have different factors.

/** Offsets in one quantizer's entry, 16 bytes each. */
export const SCALE_EVEN: usize = 0
export const SCALE_ODD: usize = 16
export const INTER_EVEN: usize = 32
export const INTER_ODD: usize = 48
export const INTRA_EVEN: usize = 64
export const INTRA_ODD: usize = 80
export const STEP_EVEN: usize = 96
export const STEP_ODD: usize = 112
const ENTRY_SHIFT: usize = 7

const entries = memory.data(6656, 16)

/**
 * Three factors for each remainder of the quantizer divided by six: for positions that are even in
 * both directions (DC among them), odd in both, and all others. `scales` quantizes, and `steps`
 * restores.
 */
const scales = memory.data<u16>([13107, 5243, 8066, 11916, 4660, 7490, 10082, 4194, 6554, 9362, 3647, 5825, 8192, 3355, 5243, 7282, 2893, 4559])
const steps = memory.data<u16>([10, 16, 13, 11, 18, 14, 13, 20, 16, 14, 23, 18, 16, 25, 20, 18, 29, 23])

/** Chroma quantizers of luma quantizers from 30 upwards (table 8-15). */
const chromaQuantizers = memory.data<u8>([29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39])

@inline
export function quantizerEntry(quantizer: i32): usize {
  return entries + (<usize>quantizer << ENTRY_SHIFT)
}

@inline
export function chromaQuantizer(quantizer: i32): i32 {
  return quantizer < 30 ? quantizer : load<u8>(chromaQuantizers + quantizer - 30)
}

/** Returns the factor that quantizes DC coefficients. */
@inline
export function dcScale(quantizer: i32): i32 {
  return load<u16>(scales + (quantizer % 6) * 6)
}

@inline
export function dcStep(quantizer: i32): i32 {
  return load<u16>(steps + (quantizer % 6) * 6)
}

export function prepareQuantizers(): void {
  for (let quantizer = 0; quantizer < 52; quantizer++) {
    const entry = quantizerEntry(quantizer)
    for (let lane = 0; lane < 8; lane++) {
      prepare(entry, lane << 1, quantizer, lane & 1 ? 2 : 0)
      prepare(entry, 16 + (lane << 1), quantizer, lane & 1 ? 1 : 2)
    }
  }
}

/**
 * Computes one lane of an entry's vectors. Rounding should add a third of a step in intra blocks
 * and a sixth in inter blocks, so that small coefficients become zero. The multiplication adds half
 * a step. The entries hold the excess, which is subtracted first.
 */
function prepare(entry: usize, at: usize, quantizer: i32, kind: i32): void {
  const octave = quantizer / 6
  const scale = <i32>load<u16>(scales + ((quantizer % 6) * 3 + kind) * 2)
  const scale15 = (scale + ((1 << octave) >> 1)) >> octave
  store<u16>(entry + SCALE_EVEN + at, scale15)
  store<u16>(entry + INTER_EVEN + at, 32768 / 3 / scale15)
  store<u16>(entry + INTRA_EVEN + at, 32768 / 6 / scale15)
  store<u16>(entry + STEP_EVEN + at, <i32>load<u16>(steps + ((quantizer % 6) * 3 + kind) * 2) << octave)
}

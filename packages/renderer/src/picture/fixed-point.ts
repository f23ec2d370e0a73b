/** Converts a share of 0 to 1, or of -1 to 1, to the kernels' 15 bits. */
export function toFixedShare(share: number): number {
  return Math.round(share * 32_767)
}

/** Converts a code value to a 16-bit sample. */
export function toFixedSample(code: number): number {
  return Math.round(code * 128)
}

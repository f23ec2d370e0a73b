/**
 * Returns the fractional part, which is never negative. An object that leaves the frame on one side
 * enters it on the other.
 */
export function wrap(value: number): number {
  return value - Math.floor(value)
}

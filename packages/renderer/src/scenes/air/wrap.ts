/**
 * Returns the fractional part of a position, which is never negative, so that an object that leaves
 * on one side enters on the other.
 */
export function wrap(value: number): number {
  return value - Math.floor(value)
}

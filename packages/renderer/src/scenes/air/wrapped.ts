/**
 * Returns the fractional part, also of negative numbers: things that leave on one side come in on
 * the other.
 */
export function wrapped(value: number): number {
  return value - Math.floor(value)
}

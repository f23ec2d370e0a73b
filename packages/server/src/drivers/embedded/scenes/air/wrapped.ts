/** The part after the point, also of negative numbers: what leaves on one side comes in on the other. */
export function wrapped(value: number): number {
  return value - Math.floor(value)
}

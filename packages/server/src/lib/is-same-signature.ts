import { timingSafeEqual } from 'node:crypto'

/** Compares two signatures in constant time. */
export function isSameSignature(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Whether a new limit, list or expiry of a change allows less than the present value. Null stands
 * for no limit, and undefined for a value that does not change.
 */
export function allowsLess(before: unknown, after: unknown): boolean {
  if (typeof after === 'number') return typeof before !== 'number' || after < before
  if (Array.isArray(after)) return !Array.isArray(before) || before.some((entry) => !after.includes(entry))
  return false
}

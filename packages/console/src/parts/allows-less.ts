/**
 * Whether a new limit, list or expiry allows less than the current one. Null stands for no limit,
 * and an `after` of undefined for no change.
 */
export function allowsLess(before: unknown, after: unknown): boolean {
  if (typeof after === 'number') return typeof before !== 'number' || after < before
  if (Array.isArray(after)) return !Array.isArray(before) || before.some((entry) => !after.includes(entry))
  return false
}

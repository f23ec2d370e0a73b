const dayMs = 86_400_000

/** Returns the UTC date of a number of days ago, as in usage reports (YYYY-MM-DD). */
export function dayAgo(days: number, nowMs = Date.now()): string {
  return new Date(nowMs - days * dayMs).toISOString().slice(0, 10)
}

/** Returns all dates from `from` to `until`, both included. */
export function daysBetween(from: string, until: string): readonly string[] {
  const firstMs = Date.parse(from)
  const length = Math.round((Date.parse(until) - firstMs) / dayMs) + 1
  return Array.from({ length }, (_, index) => new Date(firstMs + index * dayMs).toISOString().slice(0, 10))
}

const dayMs = 86_400_000

/** A day in UTC, as the usage reports name it. */
export function dayAgo(days: number, nowMs = Date.now()): string {
  return new Date(nowMs - days * dayMs).toISOString().slice(0, 10)
}

export function daysBetween(from: string, until: string): readonly string[] {
  const first = Date.parse(from)
  const length = Math.round((Date.parse(until) - first) / dayMs) + 1
  return Array.from({ length }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10))
}

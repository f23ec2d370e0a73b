export const dayMs = 86_400_000

/** Formats a day, in days since 1970-01-01 (UTC), as a date such as `2026-01-15`. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * Parses a date such as `2026-01-15` into days since 1970-01-01. Undefined: the text is not a date.
 */
export function dayOf(date: string): number | undefined {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(date) && Number.isFinite(ms) && dateOf(ms / dayMs) === date ? ms / dayMs : undefined
}

/** Returns the day of a time in UTC, as the number of days since 1970-01-01. */
export function dayAt(ms: number): number {
  return Math.floor(ms / dayMs)
}

import { InvalidArgumentError } from 'commander'

/** Formats a time in UTC, so that lists from different machines are comparable. */
export function timeText(unixSeconds: number | null | undefined): string | null {
  return unixSeconds == null ? null : new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z')
}

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Parses a date or a time in ISO 8601 to Unix seconds. A date is midnight in UTC, and a time
 * without a time zone is a local time. Returns undefined for any other text. `Date.parse` alone
 * accepts far more, for example `1.12.2026` as January 12, and February 30 as March 2.
 */
export function parseTime(text: string): number | undefined {
  const date = timePattern.exec(text)?.[1]
  const milliseconds = Date.parse(text)
  if (date === undefined || !Number.isFinite(milliseconds) || !isDate(date)) return undefined
  return Math.floor(milliseconds / 1000)
}

function isDate(date: string): boolean {
  const milliseconds = Date.parse(`${date}T00:00Z`)
  return Number.isFinite(milliseconds) && new Date(milliseconds).toISOString().startsWith(date)
}

/**
 * Parses a time to Unix seconds. `otherwise` ends the error message and names other values that the
 * option accepts.
 */
export function readTime(text: string, otherwise = ''): number {
  const unixSeconds = parseTime(text)
  if (unixSeconds !== undefined) return unixSeconds
  throw new InvalidArgumentError(`It must be a time such as 2027-01-01 or 2027-01-01T12:00Z${otherwise}.`)
}

import { InvalidArgumentError } from 'commander'

/** Formats a time in UTC, so that lists from different machines are comparable. */
export function timeText(unixSeconds: number | null | undefined): string | null {
  return unixSeconds == null ? null : new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z')
}

/**
 * Parses a time to Unix seconds. `otherwise` ends the error message and names other values that the
 * option accepts.
 */
export function readTime(text: string, otherwise = ''): number {
  const milliseconds = Date.parse(text)
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1000)
  throw new InvalidArgumentError(`It must be a time such as 2027-01-01 or 2027-01-01T12:00Z${otherwise}.`)
}

import { exactTime, relativeTime } from '../language/language.ts'

/** A time relative to now, with the exact time in a tooltip. */
export function Time({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exactTime(at)}>
      {relativeTime(at)}
    </time>
  )
}

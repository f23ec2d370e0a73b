/** The period in which the tasks whose ids begin with `start` were accepted, in Unix seconds. */
interface IdRange {
  start: string
  fromSeconds: number
  toSeconds: number
}

/** An id begins with the time in milliseconds, as 12 hexadecimal digits. */
const timeDigits = 12
/** Maximum difference between the time in the id and the time of acceptance. */
const slackSeconds = 5

/**
 * Returns null if the text is not the start of a task id, with or without `task_`. Fewer than eight
 * digits stand for more than about a minute, which may have too many tasks to compare.
 */
export function idRangeOf(text: string): IdRange | null {
  const digits = /^(?:task_)?([0-9a-f]{8,32})…?$/.exec(text)?.[1]
  if (digits === undefined) return null
  const secondsOf = (padding: string): number =>
    Math.floor(Number.parseInt(digits.slice(0, timeDigits).padEnd(timeDigits, padding), 16) / 1000)
  return { start: `task_${digits}`, fromSeconds: secondsOf('0') - slackSeconds, toSeconds: secondsOf('f') + slackSeconds }
}

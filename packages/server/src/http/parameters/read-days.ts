import { dayAt, dayOf } from '../../lib/dates.ts'
import { invalidParameter } from './query-parameters.ts'

const daysDefault = 30
const daysMax = 366

/** A range of days, including both ends. A day is the number of days since 1970 in UTC. */
export interface Days {
  fromDay: number
  lastDay: number
}

/**
 * Reads the range of days of a report from its query parameters. `last` is the name of the
 * parameter for the last day.
 */
export function readDays<Last extends string>(range: Record<'from' | Last, string | undefined>, last: Last, nowMs: number): Days {
  const lastDay = readDay(last, range[last]) ?? dayAt(nowMs)
  const fromDay = readDay('from', range.from) ?? lastDay - daysDefault + 1
  if (fromDay > lastDay) throw invalidParameter('from', `from must not be after ${last}.`)
  if (lastDay - fromDay >= daysMax) throw invalidParameter('from', `from must be at most ${daysMax} days before ${last}.`)
  return { fromDay, lastDay }
}

function readDay(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const day = dayOf(text)
  if (day === undefined) throw invalidParameter(name, `${name} must be a day such as 2026-01-15.`)
  return day
}

import { dayAt, dayOf } from '../../lib/dates.ts'
import { invalidParameter } from './query-parameters.ts'

const defaultDays = 30
const daysMax = 366

/** A range of days, including both ends. A day is the number of days since 1970-01-01 in UTC. */
export interface DayRange {
  fromDay: number
  lastDay: number
}

/**
 * Reads the range of days of a report from its query parameters. `lastName` is the name of the
 * parameter for the last day.
 */
export function readDays<LastName extends string>(
  query: Record<'from' | LastName, string | undefined>,
  lastName: LastName,
  nowMs: number,
): DayRange {
  const lastDay = readDay(lastName, query[lastName]) ?? dayAt(nowMs)
  const fromDay = readDay('from', query.from) ?? lastDay - defaultDays + 1
  if (fromDay > lastDay) throw invalidParameter('from', `from must not be after ${lastName}.`)
  if (lastDay - fromDay >= daysMax) throw invalidParameter('from', `from must be at most ${daysMax - 1} days before ${lastName}.`)
  return { fromDay, lastDay }
}

function readDay(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const day = dayOf(text)
  if (day === undefined) throw invalidParameter(name, `${name} must be a day such as 2026-01-15.`)
  return day
}

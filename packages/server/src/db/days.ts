import { dayMs } from '../lib/dates.ts'
import { createdAtMsOfNo } from '../identity/task-id.ts'

/** Returns the day of a time in UTC, as the number of days since 1970-01-01. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

/** Returns the day on which a task was accepted, computed from the task's number. */
export function dayOfTask(taskNo: number): number {
  return dayOf(createdAtMsOfNo(taskNo))
}

/** Returns the first day of the month that contains this day. */
export function firstDayOfMonth(day: number): number {
  const date = new Date(day * dayMs)
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()))
}

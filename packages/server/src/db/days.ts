import { dayAt, dayMs } from '../lib/dates.ts'
import { createdAtMsOfNo } from '../identity/task-id.ts'

/** Returns the day on which a task was accepted, computed from the task's number. */
export function dayOfTask(taskNo: number): number {
  return dayAt(createdAtMsOfNo(taskNo))
}

/** Returns the first day of the month that contains this day. */
export function firstDayOfMonth(day: number): number {
  const date = new Date(day * dayMs)
  return dayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()))
}

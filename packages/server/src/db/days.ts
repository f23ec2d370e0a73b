import { dayMs } from '../lib/dates.ts'
import { createdAtMsOfNo } from '../identity/task-id.ts'

/** The number of days from 1970 to this time, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

/** The day on which a task was accepted, computed from the task's number. */
export function dayOfTask(taskNo: number): number {
  return dayOf(createdAtMsOfNo(taskNo))
}

export function firstDayOfMonth(day: number): number {
  const date = new Date(day * dayMs)
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()))
}

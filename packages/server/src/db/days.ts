import { dayMs } from '../lib/dates.ts'
import { createdAtMsOfNo } from '../identity/task-id.ts'

/** Days since 1970, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

/** The day on which a task was accepted. */
export function dayOfTask(taskNo: number): number {
  return dayOf(createdAtMsOfNo(taskNo))
}

export function firstDayOfMonth(day: number): number {
  const date = new Date(day * dayMs)
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()))
}

import { hash } from 'node:crypto'
import type { EventType } from '@framegate/contract'

/**
 * Returns the id of a task's event. It is derived from the task and the type, so that duplicates of
 * an event have the same id.
 */
export function eventIdOf(taskId: string, type: EventType): string {
  return `evt_${hash('sha256', `${taskId}\n${type}`, 'hex').slice(0, 32)}`
}
